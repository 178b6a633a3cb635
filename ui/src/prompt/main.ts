import { mount } from 'svelte';
import '../styles/base.css';
import '../styles/controls.css';
import { loadPlatform, watchPresses } from '../platform';
import { PromptModel } from './model/prompt-model.svelte';
import PromptWindow from './PromptWindow.svelte';

const target = document.getElementById('app');
if (target) {
  const platform = await loadPlatform();
  watchPresses(platform);
  mount(PromptWindow, { target, props: { model: new PromptModel(platform) } });
}

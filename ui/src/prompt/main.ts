import { mount } from 'svelte';
import '../styles/base.css';
import '../styles/controls.css';
import { loadPlatform } from '../platform';
import { PromptModel } from './prompt-model.svelte';
import PromptWindow from './PromptWindow.svelte';

const target = document.getElementById('app');
if (target) mount(PromptWindow, { target, props: { model: new PromptModel(await loadPlatform()) } });

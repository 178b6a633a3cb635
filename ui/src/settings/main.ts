import { mount } from 'svelte';
import '../styles/base.css';
import '../styles/controls.css';
import { loadPlatform, watchPresses } from '../platform';
import { SettingsModel } from './models/settings-model.svelte';
import SettingsWindow from './SettingsWindow.svelte';

const target = document.getElementById('app');
if (target) {
  const platform = await loadPlatform();
  watchPresses(platform);
  mount(SettingsWindow, { target, props: { model: new SettingsModel(platform) } });
}

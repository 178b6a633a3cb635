import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** The policy that `tauri.conf.json` sets in the product; here so that the fixture build lives under it too. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'";

/** Puts the fixture build under the product's content security policy. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: CONTENT_SECURITY_POLICY },
        injectTo: 'head-prepend',
      },
    ],
  };
}

/** Fails a production build that would contain made-up data. */
function noFixtureInProduct(): Plugin {
  return {
    name: 'no-fixture-in-product',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        const fixture = Object.keys(chunk.modules).find((id) => id.includes('/platform/fixture'));
        if (fixture) this.error(`the production build contains ${fixture}`);
      }
    },
  };
}

export default defineConfig(({ command, mode }) => ({
  plugins: [
    svelte(),
    ...(command === 'build' && mode === 'fixture' ? [contentSecurityPolicy()] : []),
    ...(command === 'build' && mode === 'production' ? [noFixtureInProduct()] : []),
  ],
  clearScreen: false,
  server: { port: 5173, strictPort: true },
  build: {
    target: ['es2022', 'safari16.4'],
    // Nothing inline: the content security policy allows no data URLs for fonts and no inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: { prompt: 'prompt.html', settings: 'settings.html' } },
  },
  test: { include: ['src/**/*.test.ts', 'tests/**/*.test.ts'], environment: 'node' },
}));

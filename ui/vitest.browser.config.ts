import { defineConfig } from 'vitest/config';

// The built windows in a real Chromium: `npm run test:browser`, and `npm run gallery` for pictures of every scene.
export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'gallery' ? 'tests/browser/gallery.ts' : 'tests/browser/*.spec.ts'],
    environment: 'node',
    globalSetup: ['tests/browser/start.ts'],
    // One browser, and two pages at a time: half of the time is one file's.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
}));

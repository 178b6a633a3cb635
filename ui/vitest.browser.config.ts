import { defineConfig } from 'vitest/config';

// The built windows in a real Chromium: `npm run test:browser`, and `npm run gallery` for pictures of every scene.
export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'gallery' ? 'tests/browser/gallery.ts' : 'tests/browser/*.spec.ts'],
    environment: 'node',
    globalSetup: ['tests/browser/start.ts'],
    // One browser, one page after the other: the machine may be busy with other things.
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
}));

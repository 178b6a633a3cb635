import { chromium } from 'playwright-core';
import { build, preview } from 'vite';
import type { TestProject } from 'vitest/node';
import { chromiumProgram } from './chromium';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the windows are served, with made-up data and under the product's content security policy. */
    pages: string;
    /** Where the one browser listens; absent when this machine has none. */
    browser: string | undefined;
  }
}

/** How often the browser may fail to start: a busy machine kills what it cannot hold. */
const STARTS = 3;

/** Builds the windows, serves them, and starts one browser for all tests. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const program = await chromiumProgram();
  if (program === undefined) {
    console.warn(
      'There is no Chromium here: the windows are not tried in a browser. scripts/setup test installs one.',
    );
    project.provide('pages', '');
    project.provide('browser', undefined);
    return () => Promise.resolve();
  }
  await build({ mode: 'fixture', logLevel: 'warn', build: { outDir: 'dist-fixture' } });
  const pages = await preview({
    mode: 'fixture',
    logLevel: 'warn',
    build: { outDir: 'dist-fixture' },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const address = pages.httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('the pages are served nowhere');
  const browser = await started(program);
  project.provide('pages', `http://127.0.0.1:${address.port}`);
  project.provide('browser', browser.wsEndpoint());
  return async () => {
    await browser.close();
    await pages.close();
  };
}

async function started({ path, options }: { path: string; options: string[] }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await chromium.launchServer({
        executablePath: path,
        // Only pages of this repository are opened, also by root in a container.
        args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', ...options],
        timeout: 120_000,
      });
    } catch (error) {
      if (attempt === STARTS) throw error;
    }
  }
}

// A real browser on a display of its own: MiniBrowser of WebKitGTK under Xvfb, driven by WebKitWebDriver
// (W3C WebDriver). Both come with what `scripts/setup test` installs.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { eventually } from './running-gate.js';

/** The name under which WebDriver hands elements out (W3C WebDriver, 12). */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
/** The folder of the X servers' sockets, which only root's Xvfb would make. */
const SOCKETS = '/tmp/.X11-unix';

/** A browser with one window. */
export class Browser {
  private constructor(
    private readonly session: string,
    private readonly folder: string,
    private readonly programs: ChildProcess[],
  ) {}

  static async start(): Promise<Browser> {
    const folder = await mkdtemp(join(tmpdir(), 'handraise-browser-'));
    const programs: ChildProcess[] = [];
    try {
      return await Browser.startIn(folder, programs);
    } catch (error) {
      await end(programs, folder);
      throw error;
    }
  }

  private static async startIn(folder: string, programs: ChildProcess[]): Promise<Browser> {
    const display = await startDisplay(programs);
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder, XDG_RUNTIME_DIR: folder, LANG: 'C.UTF-8' },
      ...{ DISPLAY: display, GDK_BACKEND: 'x11', GSETTINGS_BACKEND: 'memory', LIBGL_ALWAYS_SOFTWARE: '1' },
      // Neither a session bus nor an accessibility bus: nobody listens there.
      ...{ DBUS_SESSION_BUS_ADDRESS: 'disabled:', NO_AT_BRIDGE: '1' },
    };
    const port = await freePort();
    const driver = spawn('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
    await once(driver, 'spawn');
    programs.push(driver);
    const base = `http://127.0.0.1:${port}`;
    await eventually('the driver', () =>
      fetch(`${base}/status`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
    const options = { binary: await miniBrowser(), args: ['--automation'] };
    const alwaysMatch = { 'webkitgtk:browserOptions': options };
    const { sessionId } = await command<{ sessionId: string }>('POST', `${base}/session`, {
      capabilities: { alwaysMatch },
    });
    return new Browser(`${base}/session/${sessionId}`, folder, programs);
  }

  async open(url: string): Promise<void> {
    await command('POST', `${this.session}/url`, { url });
  }

  /** Waits for what `xpath` finds, and clicks it as the pointer does. */
  async click(xpath: string): Promise<void> {
    await eventually(xpath, () =>
      unlessRedrawn(async () => {
        const [element] = await this.find(xpath);
        if (element === undefined) return undefined;
        await command('POST', `${this.session}/element/${element}/click`, {});
        return true;
      }),
    );
  }

  /** Waits until `xpath` finds as many elements as `wanted`; gives their texts as they are seen. */
  async texts(xpath: string, wanted: number): Promise<string[]> {
    return eventually(`${wanted} of ${xpath}`, () =>
      unlessRedrawn(async () => {
        const found = await this.find(xpath);
        if (found.length !== wanted) return undefined;
        const text = (element: string) => command<string>('GET', `${this.session}/element/${element}/text`);
        return Promise.all(found.map(text));
      }),
    );
  }

  /** What the body of a function gives in the page. */
  evaluate(script: string): Promise<unknown> {
    return command('POST', `${this.session}/execute/sync`, { script, args: [] });
  }

  async stop(): Promise<void> {
    await command('DELETE', this.session).catch(() => undefined);
    await end(this.programs, this.folder);
  }

  private async find(xpath: string): Promise<string[]> {
    const elements = await command<Record<string, string>[]>('POST', `${this.session}/elements`, {
      using: 'xpath',
      value: xpath,
    });
    return elements.map((element) => element[ELEMENT] ?? '');
  }
}

async function command<T>(method: string, url: string, body?: object): Promise<T> {
  const response = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await response.json()) as { value: T };
  if (response.ok) return value;
  const what = `WebDriver: ${JSON.stringify(value)}`;
  throw what.includes('"stale element reference"') ? new RedrawnError(what) : new Error(what);
}

/** The page has put something else in the place of an element since it was found. */
class RedrawnError extends Error {}

/** What `look` gives; nothing, when the page was redrawn meanwhile. */
async function unlessRedrawn<T>(look: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof RedrawnError) return undefined;
    throw error;
  }
}

/** Starts Xvfb on a free number; gives the name of the display. */
async function startDisplay(programs: ChildProcess[]): Promise<string> {
  await mkdir(SOCKETS).then(
    () => chmod(SOCKETS, 0o1777),
    () => undefined,
  );
  const args = ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp', '-noreset'];
  const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  await once(server, 'spawn');
  programs.push(server);
  // It closes the pipe once it has said its number.
  const number = await text(server.stdio[3] as NodeJS.ReadableStream);
  if (!/^\d+\n$/.test(number)) throw new Error('Xvfb did not start');
  return `:${number.trim()}`;
}

/** The little browser that comes with the library; its folder carries the machine's architecture in its name. */
async function miniBrowser(): Promise<string> {
  for (const entry of await readdir('/usr/lib')) {
    const path = `/usr/lib/${entry}/webkit2gtk-4.1/MiniBrowser`;
    if ((await stat(path).catch(() => undefined))?.isFile()) return path;
  }
  throw new Error('libwebkit2gtk-4.1-0 has no MiniBrowser');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function end(programs: ChildProcess[], folder: string): Promise<void> {
  // The display last: what is shown there ends with it.
  for (const program of programs.toReversed()) {
    const ended = once(program, 'exit');
    if (program.exitCode !== null || program.signalCode !== null) continue;
    program.kill('SIGKILL');
    await ended;
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

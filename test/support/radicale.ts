import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort, installPythonPackage } from './python-tool.ts';
import { makeTemporaryFolder } from './temporary-folder.ts';
import { waitUntil } from './wait-until.ts';

const RADICALE = 'radicale==3.9.0';

export const DAV_USER = 'ada@example.com';
export const DAV_PASSWORD = 'app password é';

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** A CalDAV server with one account, whose calendars tests add. */
export class Radicale {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#child = child;
  }

  /** @returns undefined on a machine without Python */
  static async start(): Promise<Radicale | undefined> {
    const python = installPythonPackage(RADICALE, 'radicale');
    if (python === undefined) return undefined;
    const folder = makeTemporaryFolder();
    const port = await findFreePort();
    const config = join(folder, 'config');
    writeFileSync(join(folder, 'users'), `${DAV_USER}:${DAV_PASSWORD}\n`);
    writeFileSync(config, buildRadicaleConfig(folder, port));
    const child = spawn(python, ['-m', 'radicale', '--config', config], { stdio: 'ignore' });
    children.add(child);
    child.once('exit', () => children.delete(child));
    const radicale = new Radicale(`http://127.0.0.1:${port}`, child);
    await waitUntil(
      () =>
        fetch(radicale.url).then(
          () => true,
          () => false,
        ),
      'Radicale to respond',
    );
    return radicale;
  }

  /** Creates a calendar on the CalDAV server and returns its URL. */
  async addCalendar(name: string): Promise<string> {
    const url = `${this.url}/${encodeURIComponent(DAV_USER)}/${name}/`;
    await this.send('MKCALENDAR', url);
    return url;
  }

  async put(calendar: string, name: string, lines: string): Promise<void> {
    const { status } = await this.send('PUT', `${calendar}${name}.ics`, lines, {
      'content-type': 'text/calendar',
    });
    if (status !== 201 && status !== 204) throw new Error(`Radicale refused ${name}: ${status}`);
  }

  async get(url: string): Promise<string | null> {
    const response = await this.send('GET', url);
    return response.status === 200 ? response.text() : null;
  }

  send(method: string, url: string, body?: string, headers: Record<string, string> = {}): Promise<Response> {
    const authorization = `Basic ${Buffer.from(`${DAV_USER}:${DAV_PASSWORD}`).toString('base64')}`;
    return fetch(url, {
      method,
      headers: { ...headers, authorization },
      ...(body !== undefined && { body }),
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

function buildRadicaleConfig(folder: string, port: number): string {
  return `[server]
hosts = 127.0.0.1:${port}
[auth]
type = htpasswd
htpasswd_filename = ${join(folder, 'users')}
htpasswd_encryption = plain
delay = 0
[storage]
filesystem_folder = ${join(folder, 'collections')}
[logging]
level = critical
`;
}

import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { buildGoProgram } from './go-program.ts';

const VERSION = '1.21.4';

const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** The key service Vault of HashiCorp (its transit engine), served by `tools/vault-transit`. */
export class Vault {
  readonly url: string;
  readonly token: string;
  readonly #child: ChildProcess;

  private constructor(url: string, token: string, child: ChildProcess) {
    this.url = url;
    this.token = token;
    this.#child = child;
  }

  /** @returns undefined on a machine without Go */
  static async start(): Promise<Vault | undefined> {
    const program = buildVault();
    if (program === undefined) return undefined;
    const token = `hvs.${randomUUID()}`;
    const child = spawn(program, [token], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.add(child);
    child.once('exit', () => children.delete(child));
    const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
    return new Vault(`http://${address}`, token, child);
  }

  async createKey(name: string): Promise<void> {
    await this.#ask('POST', `keys/${name}`);
  }

  /**
   * Deletes the key in Vault after a backup, as its owner could.
   * @returns a function that restores the key
   */
  async withdrawKey(name: string): Promise<() => Promise<void>> {
    const permitted = { deletion_allowed: true, exportable: true, allow_plaintext_backup: true };
    await this.#ask('POST', `keys/${name}/config`, permitted);
    const { backup } = await this.#ask('GET', `backup/${name}`);
    await this.#ask('DELETE', `keys/${name}`);
    return async () => void (await this.#ask('POST', `restore/${name}`, { backup }));
  }

  async #ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const headers = { 'x-vault-token': this.token };
    const response = await fetch(`${this.url}/v1/transit/${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`Vault refused ${method} ${path}: ${text}`);
    return text === '' ? {} : (JSON.parse(text) as { data: Record<string, unknown> }).data;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/**
 * Builds the program `tools/vault-transit`, which takes some minutes the first time.
 * @returns undefined without Go
 */
export function buildVault(): string | undefined {
  return buildGoProgram(`vault-transit-${VERSION}`, 'tools/vault-transit', '.');
}

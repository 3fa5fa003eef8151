import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { newId } from '../../core/ids.ts';

/** A process that the guard starts. */
export interface GuardedStart {
  command: string;
  args: string[];
  cwd: string;
  env: Record<string, string | undefined>;
  user?: { uid: number; gid: number } | undefined;
  /** File to which the guard appends the output of the process. */
  log: string;
  stopSteps: { signal: NodeJS.Signals; waitMs: number }[];
}

export type GuardMessage = { id: string } & (
  | { type: 'started'; pid: number }
  | { type: 'exited'; code: number | null; signal: string | null; problem?: string }
);

const GUARD = fileURLToPath(new URL('./guard.mjs', import.meta.url));

/**
 * Starts processes through `guard.mjs`, a separate process. The guard stops these processes when this process
 * dies, even by SIGKILL.
 */
export class Guard {
  static #current: Guard | undefined;

  /** Resolves after the guard process has exited. */
  readonly exited: Promise<void>;
  readonly #process: ChildProcess;
  readonly #listeners = new Map<string, (message: GuardMessage) => void>();

  /** Returns the guard that is running, or starts one. */
  static current(): Guard {
    return (Guard.#current ??= new Guard());
  }

  private constructor() {
    this.#process = spawn(process.execPath, [GUARD], {
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#process.on('message', (message: GuardMessage) => this.#listeners.get(message.id)?.(message));
    this.exited = this.#waitUntilGone();
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /**
   * Starts a process through the guard.
   * @returns the id with which the guard refers to the process
   */
  start(spec: GuardedStart, onMessage: (message: GuardMessage) => void): string {
    const id = newId();
    this.#listeners.set(id, onMessage);
    this.#post({ order: 'start', id, ...spec });
    return id;
  }

  send(order: 'stop' | 'kill', id: string): void {
    this.#post({ order, id });
  }

  /** Makes the guard no longer watch a process. After the last process, stops the guard and waits for its exit. */
  async release(id: string): Promise<void> {
    this.#listeners.delete(id);
    if (this.#listeners.size > 0) return;
    this.#retire();
    if (this.#process.connected) this.#process.disconnect();
    await this.exited;
  }

  #post(message: object): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  async #waitUntilGone(): Promise<void> {
    await once(this.#process, 'exit').catch(() => {});
    this.#retire();
    if (this.#process.connected) await once(this.#process, 'disconnect');
  }

  #retire(): void {
    if (Guard.#current === this) Guard.#current = undefined;
  }
}

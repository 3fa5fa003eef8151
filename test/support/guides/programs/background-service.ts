import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface ServiceCommand {
  command: string;
  args: readonly string[];
  env: Record<string, string | undefined>;
  cwd: string;
}

/**
 * A process that a guide starts and leaves running. It belongs to the process group of the guide's shell, so it ends
 * at the latest with the shell.
 */
export class BackgroundService {
  readonly #log: string;
  readonly #pid: string;

  constructor(name: string) {
    const folder = process.env['GUIDE_SERVICES'];
    if (folder === undefined) throw new Error('GUIDE_SERVICES names no folder.');
    mkdirSync(folder, { recursive: true });
    this.#log = join(folder, `${name}.log`);
    this.#pid = join(folder, `${name}.pid`);
  }

  get log(): string {
    return existsSync(this.#log) ? readFileSync(this.#log, 'utf8') : '';
  }

  get isRunning(): boolean {
    if (!existsSync(this.#pid)) return false;
    const stat = `/proc/${readFileSync(this.#pid, 'utf8')}/stat`;
    // Count a zombie as ended: an ended process stays a zombie until its parent waits for it.
    return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
  }

  start(service: ServiceCommand): void {
    this.#spawn(service).unref();
  }

  /** Runs a service of a guide that ends by itself; resolves with its exit code. */
  run(service: ServiceCommand): Promise<number | null> {
    const child = this.#spawn(service);
    return new Promise((resolve) => child.once('exit', resolve));
  }

  async stop(): Promise<void> {
    if (this.isRunning) process.kill(Number(readFileSync(this.#pid, 'utf8')), 'SIGTERM');
    while (this.isRunning) await delay(20);
    rmSync(this.#pid, { force: true });
  }

  #spawn({ command, args, env, cwd }: ServiceCommand) {
    const log = openSync(this.#log, 'a');
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', log, log] });
    closeSync(log);
    if (child.pid === undefined) throw new Error(`${command} cannot be started.`);
    writeFileSync(this.#pid, String(child.pid));
    return child;
  }
}

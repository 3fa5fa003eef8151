import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifyProcess, signalProcess, waitUntilGone, type ProcessIdentity } from './process-identity.ts';

export interface StopStep {
  signal: NodeJS.Signals;
  /** How long the process may take before the next step; after the last one it is killed. */
  waitMs: number;
}

export interface ProcessSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  cwd?: string;
  user?: { uid: number; gid: number };
  stopSteps: StopStep[];
  /** Gets `logs/<name>.log` and, while the process runs, `run/<name>.json`. */
  folder: string;
}

export interface Exit {
  code: number | null;
  signal: string | null;
  problem?: string | undefined;
}

type GuardMessage = { type: 'started'; pid: number } | ({ type: 'exited' } & Exit);

const GUARD = fileURLToPath(new URL('./guard.mjs', import.meta.url));
const LOG_MAX_BYTES = 20 * 1024 * 1024;

/** A process that ends with the one that started it, even when that is killed. */
export class GuardedProcess {
  readonly name: string;
  readonly exited: Promise<Exit>;
  readonly #guard: ChildProcess;
  readonly #spec: ProcessSpec;
  readonly #logFile: string;
  readonly #logStart: number;
  readonly #running: ProcessIdentity[] = [];
  #child: ProcessIdentity | undefined;

  constructor(spec: ProcessSpec) {
    this.name = spec.name;
    this.#spec = spec;
    this.#logFile = join(spec.folder, 'logs', `${spec.name}.log`);
    const log = openLog(this.#logFile);
    this.#logStart = statSync(this.#logFile).size;
    const { command, args, cwd = process.cwd(), user, stopSteps } = spec;
    this.#guard = spawn(process.execPath, [GUARD, JSON.stringify({ command, args, cwd, user, stopSteps })], {
      env: spec.env,
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log, 'ipc'],
    });
    closeSync(log);
    this.#note(this.#guard.pid);
    this.exited = this.#watch();
  }

  /** Asks the process to end and waits until it has. */
  async stop(): Promise<void> {
    if (this.#guard.connected) this.#guard.send('stop', () => {});
    await this.exited;
  }

  async kill(): Promise<void> {
    if (this.#guard.connected) this.#guard.send('kill', () => {});
    if (this.#child) signalProcess(this.#child, 'SIGKILL');
    await this.exited;
  }

  /** The last lines that this run of the process has logged. */
  logTail(lines = 12): string {
    const text = readFileSync(this.#logFile).subarray(this.#logStart).toString('utf8');
    return text.trimEnd().split('\n').slice(-lines).join('\n');
  }

  async #watch(): Promise<Exit> {
    let exit: Exit | undefined;
    this.#guard.on('message', (message: GuardMessage) => {
      if (message.type === 'started') this.#child = this.#note(message.pid);
      else exit = { code: message.code, signal: message.signal, problem: message.problem };
    });
    const end = await new Promise<Exit>((resolve) => {
      this.#guard.once('error', (error) => resolve({ code: null, signal: null, problem: error.message }));
      this.#guard.once('exit', (code, signal) => {
        if (!this.#guard.connected) return resolve({ code, signal });
        this.#guard.once('disconnect', () => resolve({ code, signal }));
      });
    });
    if (!exit && this.#child) await endProcesses([this.#child], this.#spec.stopSteps);
    rmSync(runFile(this.#spec.folder, this.name), { force: true });
    return exit ?? end;
  }

  #note(pid: number | undefined): ProcessIdentity | undefined {
    const identity = pid === undefined ? undefined : identifyProcess(pid);
    if (!identity) return undefined;
    this.#running.push(identity);
    const file = runFile(this.#spec.folder, this.name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(this.#running), { mode: 0o600 });
    return identity;
  }
}

/** Walks through the steps until all processes are gone, and kills what is left. */
export async function endProcesses(processes: ProcessIdentity[], steps: StopStep[]): Promise<void> {
  for (const { signal, waitMs } of steps) {
    for (const target of processes) signalProcess(target, signal);
    if (await waitUntilGone(processes, waitMs)) return;
  }
  for (const target of processes) signalProcess(target, 'SIGKILL');
  await waitUntilGone(processes, 5000);
}

export function describeExit({ code, signal, problem }: Exit): string {
  return problem ?? (signal ? `signal ${signal}` : `exit code ${code}`);
}

function runFile(folder: string, name: string): string {
  return join(folder, 'run', `${name}.json`);
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_MAX_BYTES) renameSync(file, `${file}.1`);
  return openSync(file, 'a', 0o600);
}

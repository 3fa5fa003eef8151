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
import { Guard, type GuardMessage } from './guard.ts';
import { identifyProcess, signalProcess, waitUntilGone, type ProcessIdentity } from './process-identity.ts';

export interface StopStep {
  signal: NodeJS.Signals;
  /**
   * Maximum wait in milliseconds for the exit of the process after this signal. A process that still runs
   * after the last step is killed.
   */
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
  /** Folder for the log, `logs/<name>.log`. It also contains `run/<name>.json` while the process runs. */
  folder: string;
}

export interface Exit {
  code: number | null;
  signal: string | null;
  problem?: string | undefined;
}

const LOG_MAX_BYTES = 20 * 1024 * 1024;

/** A process that is stopped when this process dies, even by SIGKILL. */
export class GuardedProcess {
  readonly name: string;
  readonly exited: Promise<Exit>;
  readonly #guard = Guard.current();
  readonly #id: string;
  readonly #spec: ProcessSpec;
  readonly #logFile: string;
  readonly #logStart: number;
  readonly #running: ProcessIdentity[] = [];
  #child: ProcessIdentity | undefined;
  #onExit!: (exit: Exit) => void;

  constructor(spec: ProcessSpec) {
    this.name = spec.name;
    this.#spec = spec;
    const log = prepareLog(spec);
    this.#logFile = log;
    this.#logStart = statSync(log).size;
    const { command, args, env, cwd = process.cwd(), user, stopSteps } = spec;
    const exit = new Promise<Exit>((resolve) => (this.#onExit = resolve));
    this.#id = this.#guard.start({ command, args, env, cwd, user, log, stopSteps }, (message) =>
      this.#onMessage(message),
    );
    this.#recordProcess(this.#guard.pid);
    this.exited = this.#waitForExit(exit);
  }

  /** Stops the process and waits for its exit. */
  async stop(): Promise<void> {
    this.#guard.send('stop', this.#id);
    await this.exited;
  }

  async kill(): Promise<void> {
    this.#guard.send('kill', this.#id);
    if (this.#child) signalProcess(this.#child, 'SIGKILL');
    await this.exited;
  }

  /** Returns the last lines of the log that this run of the process has written. */
  logTail(lines = 12): string {
    const text = readFileSync(this.#logFile).subarray(this.#logStart).toString('utf8');
    return text.trimEnd().split('\n').slice(-lines).join('\n');
  }

  #onMessage(message: GuardMessage): void {
    if (message.type === 'started') this.#child = this.#recordProcess(message.pid);
    else this.#onExit({ code: message.code, signal: message.signal, problem: message.problem });
  }

  async #waitForExit(reportedExit: Promise<Exit>): Promise<Exit> {
    const exit = await Promise.race([reportedExit, this.#guard.exited]);
    // Stop the process here if the guard was killed: the guard then reported no exit, and the process may
    // still run.
    if (!exit && this.#child) await endProcesses([this.#child], this.#spec.stopSteps);
    await this.#guard.release(this.#id);
    rmSync(runFile(this.#spec.folder, this.name), { force: true });
    return exit ?? { code: null, signal: 'SIGKILL', problem: undefined };
  }

  #recordProcess(pid: number | undefined): ProcessIdentity | undefined {
    const identity = pid === undefined ? undefined : identifyProcess(pid);
    if (!identity) return undefined;
    this.#running.push(identity);
    const file = runFile(this.#spec.folder, this.name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(this.#running), { mode: 0o600 });
    return identity;
  }
}

/**
 * Sends the signals of the given steps one after another until all processes have exited. Kills the processes
 * that remain.
 */
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

/** Returns the path of a process's log file. Renames the existing file first if it is large. */
function prepareLog({ folder, name }: ProcessSpec): string {
  const file = join(folder, 'logs', `${name}.log`);
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > LOG_MAX_BYTES) renameSync(file, `${file}.1`);
  closeSync(openSync(file, 'a', 0o600));
  return file;
}

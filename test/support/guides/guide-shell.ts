import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { waitUntil } from '../wait-until.ts';

const PATIENCE_AT_END_MS = 10_000;

/** A background terminal of a guide, with the variables that the first terminal has exported. */
interface Terminal {
  group: number;
  output: string;
  /** Number of characters of the terminal's output that `watch` has read. */
  seen: number;
}

/**
 * Runs all blocks of a guide in one bash, so that they share variables, functions and the current folder as for a
 * reader.
 */
export class GuideShell {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  readonly #blocks: string;
  readonly #terminals = new Map<string, Terminal>();
  readonly #killAll = (): void => this.#kill('SIGKILL');
  #count = 0;

  /**
   * @param folder the reader's folder; this class stores scripts and outputs in a sibling folder ending in `.blocks`
   */
  constructor(folder: string, env: NodeJS.ProcessEnv) {
    this.#blocks = `${folder}.blocks`;
    for (const each of [folder, this.#blocks]) mkdirSync(each, { recursive: true });
    this.#child = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Start a separate process group, so that all processes of the guide can be killed.
      detached: true,
    });
    this.#answers = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    this.#send('set -euo pipefail');
    process.once('exit', this.#killAll);
  }

  /**
   * Runs a block of the guide and returns its output.
   * @throws Error with the output if a command fails
   */
  async run(code: string): Promise<string> {
    const { script, output } = this.#newBlock(code);
    const answer = await this.#ask(`source '${script}' >'${output}' 2>&1 </dev/null; echo done`);
    const printed = readFileSync(output, 'utf8');
    if (answer === undefined) throw new Error(`It fails, and has printed:\n${printed}`);
    return printed;
  }

  /** Writes a file of the guide into the reader's current folder. */
  async write(title: string, content: string): Promise<void> {
    const folder = await this.#ask('pwd');
    const path = join(folder ?? '', title);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }

  async start(terminal: string, code: string): Promise<void> {
    const { script, output } = this.#newBlock(code);
    const bash = `bash -euo pipefail '${script}' >'${output}' 2>&1 </dev/null`;
    const group = Number(await this.#ask(`set -m; ${bash} & echo "$!"; set +m`));
    this.#terminals.set(terminal, { group, output, seen: 0 });
  }

  /**
   * Waits until a terminal prints the expected text. The next call searches after it.
   * @param end returns the end of the expected text, or undefined
   */
  async watch(terminal: string, end: (printed: string) => number | undefined): Promise<void> {
    const watched = this.#terminal(terminal);
    const readPrinted = () => readFileSync(watched.output, 'utf8').slice(watched.seen);
    let found: number | undefined;
    const isThere = () => (found = end(readPrinted())) !== undefined;
    await waitUntil(() => isThere() || !isAlive(watched.group), terminal).catch(() => undefined);
    if (found === undefined && !isThere())
      throw new Error(`It is not there. The terminal ${terminal} has printed:\n${readPrinted()}`);
    watched.seen += found ?? 0;
  }

  /** Ends a background terminal as Ctrl-C does. */
  async stop(terminal: string): Promise<void> {
    const { group } = this.#terminal(terminal);
    process.kill(-group, 'SIGINT');
    await waitUntil(() => !isAlive(group), `${terminal} to end`);
  }

  /** Ends all processes of the guide that still run. */
  async end(): Promise<void> {
    this.#kill('SIGTERM');
    const groups = this.#groups();
    await waitUntil(() => !groups.some(isAlive), 'the terminals to end', PATIENCE_AT_END_MS).catch(
      () => undefined,
    );
    process.off('exit', this.#killAll);
    this.#killAll();
  }

  #terminal(name: string): Terminal {
    const terminal = this.#terminals.get(name);
    if (terminal === undefined) throw new Error(`No block has started the terminal ${name}.`);
    return terminal;
  }

  #newBlock(code: string): { script: string; output: string } {
    this.#count += 1;
    const script = join(this.#blocks, `${this.#count}.sh`);
    const output = join(this.#blocks, `${this.#count}.txt`);
    writeFileSync(script, code);
    writeFileSync(output, '');
    return { script, output };
  }

  #send(command: string): void {
    this.#child.stdin?.write(`${command}\n`);
  }

  /** @returns undefined if the shell has ended */
  async #ask(command: string): Promise<string | undefined> {
    this.#send(command);
    const { done, value } = await this.#answers.next();
    return done === true ? undefined : value;
  }

  #groups(): number[] {
    const { pid, exitCode } = this.#child;
    const shell = pid === undefined || exitCode !== null ? [] : [pid];
    return [...[...this.#terminals.values()].map(({ group }) => group), ...shell];
  }

  #kill(signal: NodeJS.Signals): void {
    for (const group of this.#groups()) if (isAlive(group)) process.kill(-group, signal);
  }
}

function isAlive(group: number): boolean {
  try {
    return process.kill(-group, 0);
  } catch {
    return false;
  }
}

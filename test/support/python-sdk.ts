import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { pythonWith } from './python-tool.ts';

/** What the package is run, built and checked with, by the module of each. */
const tools = {
  httpx: 'httpx==0.28.1',
  hatchling: 'hatchling==1.33.0',
  mypy: 'mypy==2.4.1',
  pyright: 'pyright==1.1.414',
} as const;

/** A path within the folder of the Python SDK. */
export function inPythonSdk(path: string): string {
  return fileURLToPath(new URL(`sdk/python/${path}`, projectRoot()));
}

/** A Python that has the tool; undefined where there is none, and none can be installed. */
export function pythonWithTool(tool: keyof typeof tools): string | undefined {
  return pythonWith(tools[tool], tool);
}

/** A Python that has what the SDK needs. */
export function pythonForSdk(): string | undefined {
  return pythonWithTool('httpx');
}

/** A Python that can run pyright, which fetches its program from npm when it is run first. */
export function pythonWithPyright(): string | undefined {
  const python = pythonWithTool('pyright');
  if (python === undefined) return undefined;
  return spawnSync(python, ['-m', 'pyright', '--version'], { stdio: 'ignore' }).status === 0
    ? python
    : undefined;
}

export function installPythonTools(): void {
  for (const tool of Object.keys(tools)) pythonWithTool(tool as keyof typeof tools);
}

/** Finds the SDK in its folder, without an installation. */
export const withSdkInPlace = {
  ...process.env,
  PYTHONPATH: inPythonSdk('src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs a program and returns what it wrote. @throws AssertionError with that where it fails */
export function output(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}\n${error?.message ?? ''}`);
  return stdout;
}

/** Runs a script while this process goes on serving it. @throws AssertionError where it fails */
export async function runPython(
  python: string,
  script: string,
  options: { cwd?: string; env?: NodeJS.ProcessEnv },
  args: readonly string[] = [],
): Promise<string> {
  const child = spawn(python, ['-c', script, ...args], options);
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  assert.equal(status, 0, stderr);
  return stdout;
}

/** A process that gets a line of JSON for each question, and returns one. */
export class JsonLines {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv) {
    this.#process = spawn(command, args, { env });
    this.#process.stderr.pipe(process.stderr);
    this.#lines = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  async ask(question: unknown): Promise<unknown> {
    this.#process.stdin.write(`${JSON.stringify(question)}\n`);
    const line = await this.#lines.next();
    if (line.done === true) throw new Error('The process has ended.');
    return JSON.parse(line.value) as unknown;
  }

  async end(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.stdin.end();
    await ended;
  }
}

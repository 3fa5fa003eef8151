import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { installPythonPackage } from './python-tool.ts';

/** Packages that run, build and check the Python SDK, by module. */
const tools = {
  httpx: 'httpx==0.28.1',
  hatchling: 'hatchling==1.33.0',
  mypy: 'mypy==2.4.1',
  pyright: 'pyright==1.1.414',
} as const;

/** Resolves a path within the Python SDK's folder. */
export function resolvePythonSdkPath(path: string): string {
  return fileURLToPath(new URL(`sdk/python/${path}`, projectRoot()));
}

/**
 * Finds a Python that has the tool of the Python SDK; installs the tool if needed.
 * @returns undefined if it cannot be installed
 */
export function findPythonWithTool(tool: keyof typeof tools): string | undefined {
  return installPythonPackage(tools[tool], tool);
}

/** Finds a Python that has httpx, on which the Python SDK depends. */
export function findPythonForSdk(): string | undefined {
  return findPythonWithTool('httpx');
}

/** Finds a Python that can run pyright, which downloads its program from npm on the first run. */
export function findPythonWithPyright(): string | undefined {
  const python = findPythonWithTool('pyright');
  if (python === undefined) return undefined;
  return spawnSync(python, ['-m', 'pyright', '--version'], { stdio: 'ignore' }).status === 0
    ? python
    : undefined;
}

/** Installs the Python tools that `npm test` uses; only soak uses pyright. */
export function installPythonTools(): void {
  for (const tool of ['httpx', 'hatchling', 'mypy'] as const) findPythonWithTool(tool);
}

/** Environment variables with which Python imports the SDK from its source folder. */
export const withSdkInPlace = {
  ...process.env,
  PYTHONPATH: resolvePythonSdkPath('src'),
  PYTHONDONTWRITEBYTECODE: '1',
};

/**
 * Runs a program and returns its output.
 * @throws AssertionError with the output if it fails
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}\n${stderr}\n${error?.message ?? ''}`);
  return stdout;
}

/**
 * Runs a Python script while this process continues to respond to the script's requests.
 * @throws AssertionError if it fails
 */
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

/** A process that reads questions as lines of JSON and answers each with a line. */
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

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { exitCodes } from '../../sdk/typescript/src/cli/exit-codes.ts';
import { runCommandLine } from '../../sdk/typescript/src/cli/run.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

interface Around {
  piped?: string;
  /** A line that the user types at the terminal. */
  typed?: string;
  /** Callback that gets the URL of each page that the command opens. */
  opened?: (url: string) => void;
  isTerminal?: boolean;
  isOutTerminal?: boolean;
  /** Signal that aborts when the user presses Ctrl-C. */
  interrupted?: AbortSignal;
  /** Callback that gets each text that the command writes to stderr. */
  heard?: (text: string) => void;
  /** Callback that gets each piece that the command writes to stdout. */
  read?: (written: string | Uint8Array) => void;
}

/** Builds a terminal that runs `parley` with this environment and home folder. */
export function terminal(env: Record<string, string>, home = makeTemporaryFolder()) {
  const run = async (
    args: string[],
    { piped = '', typed, isTerminal = false, isOutTerminal = false, ...around }: Around = {},
  ) => {
    const decoder = new TextDecoder();
    let out = '';
    let err = '';
    const code = await runCommandLine(args, {
      env,
      home,
      machine: 'laptop',
      openBrowser: around.opened,
      isTerminal,
      isOutTerminal,
      input: () => Promise.resolve(piped),
      readHiddenLine: typed === undefined ? undefined : () => Promise.resolve(typed),
      lines: () => Readable.from(piped.split('\n')),
      out: (written) => {
        out += typeof written === 'string' ? written : decoder.decode(written, { stream: true });
        around.read?.(written);
      },
      err: (text) => {
        err += text;
        around.heard?.(text);
      },
      onInterrupt: () => around.interrupted ?? new AbortController().signal,
    });
    return { code, out, err };
  };
  const json = async (args: string[], around?: Around) => {
    const { code, out, err } = await run([...args, '--json'], around);
    assert.equal(code, exitCodes.done, err);
    return JSON.parse(out) as never;
  };
  return { run, json, home };
}

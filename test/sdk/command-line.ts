import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { exitCodes, runCommandLine } from '../../sdk/typescript/src/cli/run.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

interface Around {
  piped?: string;
  isTerminal?: boolean;
  isOutTerminal?: boolean;
  /** Somebody presses Ctrl-C. */
  interrupted?: AbortSignal;
  /** Told of what is written to stderr. */
  heard?: (text: string) => void;
  /** Told of what is written to stdout. */
  read?: (written: string | Uint8Array) => void;
}

/** Somebody's terminal, in which `parley` is called. */
export function terminal(env: Record<string, string>, home = makeTemporaryFolder()) {
  const run = async (
    args: string[],
    { piped = '', isTerminal = false, isOutTerminal = false, ...around }: Around = {},
  ) => {
    const decoder = new TextDecoder();
    let out = '';
    let err = '';
    const code = await runCommandLine(args, {
      env,
      home,
      isTerminal,
      isOutTerminal,
      input: () => Promise.resolve(piped),
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

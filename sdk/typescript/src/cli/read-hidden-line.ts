import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Reads a line from the terminal without showing it. Returns an empty text after Ctrl-C and Ctrl-D. */
export function readHiddenLine(): Promise<string> {
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: discarded, terminal: true });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}

#!/usr/bin/env node
import { homedir, hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { openBrowser } from './open-browser.ts';
import { readHiddenLine } from './read-hidden-line.ts';
import { exitCodes } from './exit-codes.ts';
import { runCommandLine } from './run.ts';

/** Exit without an error when the reader of stdout has closed the pipe, as `head` does. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit(exitCodes.unread);
});

process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  home: homedir(),
  machine: hostname(),
  openBrowser: process.stdin.isTTY ? openBrowser : undefined,
  input: () => text(process.stdin),
  readHiddenLine: process.stdin.isTTY ? readHiddenLine : undefined,
  lines: () => createInterface({ input: process.stdin, crlfDelay: Infinity }),
  out: (written) => void process.stdout.write(written),
  err: (written) => void process.stderr.write(written),
  isTerminal: process.stderr.isTTY,
  isOutTerminal: process.stdout.isTTY,
  onInterrupt: () => {
    const interrupted = new AbortController();
    process.once('SIGINT', () => interrupted.abort());
    return interrupted.signal;
  },
});

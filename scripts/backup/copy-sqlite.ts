import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  readSync,
  closeSync,
  statSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../launcher/launch-error.ts';

const MAX_ATTEMPTS = 100;
const PAUSE_MS = 100;
/**
 * Minimum time in milliseconds between the last change of the database file and a copy. Sooner, its next
 * change might get the same timestamp.
 */
const SETTLED_MS = 20;
/** Size in bytes of a write-ahead log's header, whose random numbers change whenever the log starts over. */
const LOG_HEADER_BYTES = 32;

/**
 * Copies a SQLite database in WAL mode while another process writes the database. The main file changes only
 * at checkpoints; the log grows until it starts over after a checkpoint. If no checkpoint happens during a
 * copy, both files are in a state from which SQLite recovers, as after a crash.
 * @throws LaunchError if checkpoints disturb every attempt
 */
export async function copyLiveSqlite(source: string, target: string): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = describeState(source);
    if (before.changedAtMs < Date.now() - SETTLED_MS) {
      for (const ending of ['', '-wal']) {
        if (!existsSync(source + ending)) continue;
        copyFileSync(source + ending, target + ending, constants.COPYFILE_FICLONE);
        chmodSync(target + ending, 0o600);
      }
      if (describeState(source).identity === before.identity) return;
    }
    await delay(PAUSE_MS);
  }
  throw new LaunchError(`${source} changed during every attempt to copy it. Try again later.`);
}

function describeState(source: string): { identity: string; changedAtMs: number } {
  const { mtimeNs, size, ino, mtimeMs } = statSync(source, { bigint: true });
  const log = readLogHeader(`${source}-wal`);
  return { identity: [mtimeNs, size, ino, log].join(' '), changedAtMs: Number(mtimeMs) };
}

function readLogHeader(path: string): string {
  if (!existsSync(path)) return '';
  const header = Buffer.alloc(LOG_HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, LOG_HEADER_BYTES, 0);
  } finally {
    closeSync(file);
  }
  return header.toString('hex');
}

import { spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findReason } from './launch-error.ts';

/** Site from which the testing package of Temporal's SDK downloads the program `temporal`. */
const DOWNLOADS = 'https://temporal.download';
/** Maximum time in milliseconds without new data, both while downloading and while unpacking the program. */
const MAX_SILENCE_MS = 5000;

/** Downloads the `temporal` program to `target`. A failed download leaves no files. */
export async function downloadTemporal(version: string, target: string, signal?: AbortSignal): Promise<void> {
  const stallTimer = new StallTimer(signal);
  const folder = `${target}.${process.pid}.download`;
  try {
    const { archiveUrl, fileToExtract } = await findArchive(version, stallTimer.signal);
    mkdirSync(folder, { recursive: true });
    await extractFile(await openArchive(archiveUrl, stallTimer.signal), fileToExtract, folder, stallTimer);
    renameSync(join(folder, fileToExtract), target);
  } catch (error) {
    throw new Error(`The download from ${DOWNLOADS} failed: ${findReason(error)}.`, { cause: error });
  } finally {
    stallTimer.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Aborts an operation that makes no progress for some time. */
class StallTimer {
  readonly signal: AbortSignal;
  readonly #controller = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(signal?: AbortSignal) {
    this.signal = AbortSignal.any([this.#controller.signal, ...(signal ? [signal] : [])]);
    this.renew();
  }

  renew(): void {
    this.end();
    this.#timer = setTimeout(() => this.#controller.abort(new Error('no response in time')), MAX_SILENCE_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

async function findArchive(
  version: string,
  signal: AbortSignal,
): Promise<{ archiveUrl: string; fileToExtract: string }> {
  const url = new URL(`/cli/v${version}`, DOWNLOADS);
  url.searchParams.set('arch', process.arch === 'x64' ? 'amd64' : process.arch);
  url.searchParams.set('platform', process.platform === 'win32' ? 'windows' : process.platform);
  const response = await fetch(url, { signal });
  if (!response.ok) throw new Error(`it responded with status ${response.status}`);
  return (await response.json()) as { archiveUrl: string; fileToExtract: string };
}

async function openArchive(url: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const response = await fetch(url, { signal });
  if (!response.ok || !response.body)
    throw new Error(`the request for the archive returned status ${response.status}`);
  return response.body;
}

async function extractFile(
  archive: ReadableStream<Uint8Array>,
  file: string,
  folder: string,
  stallTimer: StallTimer,
): Promise<void> {
  const tar = spawn('tar', ['-xzf', '-', '-C', folder, file], { stdio: ['pipe', 'ignore', 'ignore'] });
  const extracted = new Promise<void>((resolve, reject) => {
    tar.once('error', reject);
    tar.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('the archive cannot be read'))));
  });
  async function* chunks() {
    for await (const chunk of archive) {
      stallTimer.renew();
      yield chunk;
    }
  }
  await Promise.all([extracted, pipeline(chunks, tar.stdin)]);
}

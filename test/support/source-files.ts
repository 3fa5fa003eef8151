import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Lists the files below folders of the project.
 * @param ending pattern of their names
 */
export function listSourceFiles(folders: readonly string[], ending: RegExp): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => ending.test(name))
      .map((name) => join(folder, name)),
  );
}

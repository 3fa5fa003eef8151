import { existsSync } from 'node:fs';

/**
 * Returns the URL of the project's folder, which contains package.json. Works for source files and for
 * compiled files in `dist`.
 */
export function projectRoot(): URL {
  let folder = new URL('../../', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  return folder;
}

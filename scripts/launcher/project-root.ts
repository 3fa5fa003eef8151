import { existsSync } from 'node:fs';

/** The folder of package.json, whether this runs from source or compiled in `dist`. */
export function projectRoot(): URL {
  let folder = new URL('../../', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  return folder;
}

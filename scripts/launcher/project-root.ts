import { existsSync } from 'node:fs';

/** Returns the folder of package.json, for sources and for compiled code in `dist`. */
export function projectRoot(): URL {
  let folder = new URL('../../', import.meta.url);
  while (!existsSync(new URL('package.json', folder))) folder = new URL('../', folder);
  return folder;
}

import { posix } from 'node:path';

/** The part of an archive that a link in another one leads to, without the place in it; it never leads out of the archive. */
export function partAt(from: string, link: string): string {
  const [path = ''] = link.split(/[#?]/, 1);
  return posix.resolve('/', posix.dirname(from), decoded(path)).slice(1);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

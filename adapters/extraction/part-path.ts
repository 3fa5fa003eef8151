import { posix } from 'node:path';

/** Resolves a link in a part of an archive to another part, without the fragment. It never leads out of the archive. */
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

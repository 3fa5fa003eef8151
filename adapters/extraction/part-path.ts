import { posix } from 'node:path';

/** Resolves a link in a part of an archive to another part, without the fragment. It never leads out of the archive. */
export function resolvePart(from: string, link: string): string {
  const [path = ''] = link.split(/[#?]/, 1);
  return posix.resolve('/', posix.dirname(from), decodePath(path)).slice(1);
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

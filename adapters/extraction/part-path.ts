import { posix } from 'node:path';

/**
 * Resolves a link in one part of a document's archive to the path of another part, without its fragment. The
 * path never leaves the archive.
 */
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

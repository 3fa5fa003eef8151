import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LaunchError } from './launch-error.ts';

export interface User {
  uid: number;
  gid: number;
}

export const AS_ROOT = 'PostgreSQL does not run as root, and';
export const WAYS_OUT = 'Start Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.';

/**
 * PostgreSQL refuses to run as root, so root lends it an ordinary account: the owner of the data, `postgres` or `nobody`.
 * Everybody else runs it as themselves, which is undefined.
 */
export function postgresUser(dataFolder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = ownerOf(dataFolder) ?? lookUp('postgres') ?? lookUp('nobody');
  if (!user)
    throw new LaunchError(`${AS_ROOT} no account "postgres" or "nobody" exists to lend it. ${WAYS_OUT}`);
  return user;
}

/** The first folder on the way to `path` that the user may not pass. */
export function closedFolder(path: string, user: User): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const above = closedFolder(parent, user);
  if (above) return above;
  return mayExecute(parent, user) ? undefined : parent;
}

/** Whether the user may run the file, or pass the folder, if there is one. */
export function mayExecute(path: string, { uid, gid }: User): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return true;
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
  return (stats.mode & bit) !== 0;
}

function ownerOf(folder: string): User | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function lookUp(name: string): User | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

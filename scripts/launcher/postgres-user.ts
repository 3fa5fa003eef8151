import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LaunchError } from './launch-error.ts';

export interface User {
  uid: number;
  gid: number;
}

export const AS_ROOT = 'PostgreSQL does not run as root, and';
export const NON_ROOT_HINT =
  'Start Parley as an ordinary user, or set DATABASE_URL to your own PostgreSQL server.';

/**
 * Returns the account with which PostgreSQL runs, because it refuses to run as root. The account is the owner
 * of the data folder, or else "postgres" or "nobody". Undefined if Parley does not run as root.
 */
export function choosePostgresUser(dataFolder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const user = findDataOwner(dataFolder) ?? findAccount('postgres') ?? findAccount('nobody');
  if (!user)
    throw new LaunchError(
      `${AS_ROOT} no account "postgres" or "nobody" exists that could run it instead. ${NON_ROOT_HINT}`,
    );
  return user;
}

/**
 * Returns the topmost folder on the way to `path` that the operating system account may not enter; undefined
 * if it may enter all.
 */
export function findClosedFolder(path: string, user: User): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const closedParent = findClosedFolder(parent, user);
  if (closedParent) return closedParent;
  return canExecute(parent, user) ? undefined : parent;
}

/** True if the operating system account may run the file or enter the folder, or if the path does not exist. */
export function canExecute(path: string, { uid, gid }: User): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return true;
  const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
  return (stats.mode & bit) !== 0;
}

function findDataOwner(folder: string): User | undefined {
  if (!existsSync(folder)) return undefined;
  const { uid, gid } = statSync(folder);
  return uid === 0 ? undefined : { uid, gid };
}

function findAccount(name: string): User | undefined {
  try {
    const id = (flag: string) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

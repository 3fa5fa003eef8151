import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { LaunchError } from './launch-error.ts';

export interface User {
  uid: number;
  gid: number;
}

/** How to start PostgreSQL's programs. */
export interface PostgresAccount {
  /** Owns the data, when that is not the user who runs Parley. */
  owner?: User;
  /** As whom to spawn; absent where the prefix switches the user. */
  user?: User;
  /** Put before the command. */
  prefix: string[];
}

/**
 * PostgreSQL refuses to run as root, so root lends it an ordinary account: the owner of the data, `postgres` or `nobody`.
 * Where that account may not enter the folders (a checkout below /root), it keeps the one right to pass through them.
 */
export function postgresAccount(dataFolder: string, program: string): PostgresAccount {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const user = ownerOf(dataFolder) ?? lookUp('postgres') ?? lookUp('nobody');
  if (!user)
    throw new LaunchError(`${AS_ROOT} no account "postgres" or "nobody" exists to lend it. ${WAYS_OUT}`);
  const closed = [dataFolder, program].map((path) => closedFolder(path, user)).find(Boolean);
  if (!closed) return { owner: user, user, prefix: [] };
  const prefix = ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', ...PASS_THROUGH];
  if (!works([...prefix, 'true'])) {
    throw new LaunchError(`${AS_ROOT} the account lent to it may not enter ${closed}. ${WAYS_OUT}`);
  }
  return { owner: user, prefix };
}

const AS_ROOT = 'PostgreSQL does not run as root, and';
const WAYS_OUT = 'Start Parley as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.';
const PASS_THROUGH = ['--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search'];

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

/** The first folder on the way to `path` that the user may not pass. */
function closedFolder(path: string, { uid, gid }: User): string | undefined {
  const parent = dirname(path);
  if (parent === path) return undefined;
  const above = closedFolder(parent, { uid, gid });
  if (above) return above;
  const stats = statSync(parent, { throwIfNoEntry: false });
  if (!stats) return undefined;
  const passBit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001;
  return stats.mode & passBit ? undefined : parent;
}

function works([command, ...args]: string[]): boolean {
  try {
    execFileSync(command!, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

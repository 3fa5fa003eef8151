import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { cachePath, makeOnce } from './make-once.ts';

/** Python environment whose pip installs into all other environments, since a pip in each takes seconds. */
const PIP_ENVIRONMENT = cachePath('pip');
const PIP = join(PIP_ENVIRONMENT, 'bin', 'python');
const PIP_OPTIONS = ['--quiet', '--no-compile', '--disable-pip-version-check'];

/**
 * Returns the Python of a virtual environment that has the package, or undefined without Python.
 * @param pinned package as pip takes it: `radicale==3.9.0`, with extras if needed
 * @param module name for the import
 */
export function installPythonPackage(pinned: string, module: string): string | undefined {
  const environment = cachePath(pinned.replace('==', '-').replace(/\[.*\]/, ''));
  const python = join(environment, 'bin', 'python');
  const hasModule = () => runSucceeds(python, ['-c', `import ${module}`]);
  // Recreate the environment if it does not work: the Python that created it may have been removed.
  if (existsSync(python) && !hasModule()) rmSync(environment, { recursive: true, force: true });
  const install = (part: string) => {
    const target = join(part, 'bin', 'python');
    return (
      runSucceeds('python3', ['-m', 'venv', '--without-pip', part]) &&
      runSucceeds(PIP, ['-m', 'pip', '--python', target, 'install', ...PIP_OPTIONS, pinned]) &&
      // Compile the modules that are used. By default, pip would compile all of them, which takes longer than
      // the download.
      runSucceeds(target, ['-c', `import ${module}`])
    );
  };
  if (!makeOnce(PIP_ENVIRONMENT, (part) => runSucceeds('python3', ['-m', 'venv', part]))) return undefined;
  return makeOnce(environment, install) ? python : undefined;
}

export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function runSucceeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

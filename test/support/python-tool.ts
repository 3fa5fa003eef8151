import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * The Python of an environment of its own that has the package, which later runs find; undefined where there is none.
 * @param pinned as pip takes it: `radicale==3.9.0`, with extras where they are needed
 * @param module what it is imported by
 */
export function pythonWith(pinned: string, module: string): string | undefined {
  const environment = join(homedir(), '.cache', 'parley', pinned.replace('==', '-').replace(/\[.*\]/, ''));
  const python = join(environment, 'bin', 'python');
  if (existsSync(python) && succeeds(python, ['-c', `import ${module}`])) return python;
  const made = `${environment}.${process.pid}`;
  mkdirSync(dirname(made), { recursive: true });
  const isMade =
    succeeds('python3', ['-m', 'venv', made]) &&
    succeeds(join(made, 'bin', 'python'), ['-m', 'pip', 'install', '--quiet', pinned]);
  if (!isMade) return undefined;
  rmSync(environment, { recursive: true, force: true });
  renameSync(made, environment);
  return python;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function succeeds(command: string, args: string[]): boolean {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0;
}

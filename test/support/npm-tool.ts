import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * The folder in which a package is installed by itself, which later runs find; undefined where it cannot be had.
 * @param pinned `typescript@5.9.3`
 */
export function packageFolder(pinned: string): string | undefined {
  const name = pinned.slice(0, pinned.lastIndexOf('@'));
  const home = join(homedir(), '.cache', 'parley', pinned.replaceAll('/', '-').replace(/@(?=[^@]*$)/, '-'));
  const folder = join(home, 'node_modules', name);
  if (existsSync(join(folder, 'package.json'))) return folder;
  const made = `${home}.${process.pid}`;
  mkdirSync(made, { recursive: true });
  writeFileSync(join(made, 'package.json'), '{}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', pinned];
  if (spawnSync('npm', args, { cwd: made, stdio: 'ignore' }).status !== 0) return undefined;
  rmSync(home, { recursive: true, force: true });
  renameSync(made, home);
  return folder;
}

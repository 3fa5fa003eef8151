import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath, makeOnce } from './make-once.ts';

/**
 * The folder in which a package is installed by itself, which later runs find; undefined where it cannot be had.
 * @param pinned `typescript@5.9.3`
 */
export function packageFolder(pinned: string): string | undefined {
  const name = pinned.slice(0, pinned.lastIndexOf('@'));
  const home = cachePath(pinned.replaceAll('/', '-').replace(/@(?=[^@]*$)/, '-'));
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', pinned];
  const install = (part: string) => {
    mkdirSync(part);
    writeFileSync(join(part, 'package.json'), '{}');
    return spawnSync('npm', args, { cwd: part, stdio: 'ignore' }).status === 0;
  };
  return makeOnce(home, install) ? join(home, 'node_modules', name) : undefined;
}

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cachePath, makeOnce } from './make-once.ts';

/**
 * Installs an npm package into a separate folder, which later runs reuse.
 * @param pinned package with its version: `typescript@5.9.3`
 * @returns the package's folder, or undefined if it cannot be installed
 */
export function installNpmPackage(pinned: string): string | undefined {
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

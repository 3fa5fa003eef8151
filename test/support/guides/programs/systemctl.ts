import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { BackgroundService, type ServiceCommand } from './background-service.ts';

// Replaces the program systemctl in tests of guides, for the units in the folder GUIDE_UNITS.

const [action = '', ...rest] = process.argv.slice(2);
const units = rest.filter((word) => !word.startsWith('--'));

for (const unit of units) await applyAction(unit.replace(/\.service$/, ''));

async function applyAction(unit: string): Promise<void> {
  const service = new BackgroundService(unit);
  if (action === 'is-active') process.stdout.write(service.isRunning ? 'active\n' : 'inactive\n');
  if (action === 'stop' || action === 'restart') await service.stop();
  const isStarted = action === 'start' || action === 'restart' || rest.includes('--now');
  if (!isStarted) return;
  const settings = readUnitSettings(unit);
  const command = buildUnitCommand(settings);
  if (settings.get('Type')?.[0] !== 'oneshot') return service.start(command);
  const status = await service.run(command);
  if (status !== 0) throw new Error(`${unit} has failed:\n${service.log}`);
}

/** Reads the settings of a systemd unit file. A setting may occur more than once. */
function readUnitSettings(unit: string): Map<string, string[]> {
  const file = join(process.env['GUIDE_UNITS'] ?? '', `${unit}.service`);
  verifyUnit(file);
  const settings = new Map<string, string[]>();
  for (const line of readFileSync(file, 'utf8')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')) {
    const [, name, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (name !== undefined) settings.set(name, [...(settings.get(name) ?? []), value ?? '']);
  }
  return settings;
}

/** Verifies a systemd unit file with systemd's own tool, if the machine has it. */
function verifyUnit(file: string): void {
  const { status, stderr, error } = spawnSync(
    'systemd-analyze',
    ['verify', '--recursive-errors=no', basename(file)],
    {
      cwd: dirname(file),
      encoding: 'utf8',
    },
  );
  if (!error && status !== 0) throw new Error(stderr);
}

function buildUnitCommand(settings: Map<string, string[]>): ServiceCommand {
  const [command = '', ...args] = (settings.get('ExecStart')?.[0] ?? '').split(' ');
  const variables = settings.get('Environment') ?? [];
  const files = (settings.get('EnvironmentFile') ?? []).filter(existsSync);
  const env = Object.assign(
    {},
    process.env,
    ...variables.map((text) => parseEnv(text)),
    ...files.map((file) => parseEnv(readFileSync(file, 'utf8'))),
  ) as NodeJS.ProcessEnv;
  return { command, args, env, cwd: settings.get('WorkingDirectory')?.[0] ?? '/' };
}

import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../../../scripts/launcher/project-root.ts';
import { resolveService, composeFile } from '../../compose-file.ts';
import { BackgroundService, type ServiceCommand } from './background-service.ts';

// Replaces Docker Compose: runs each of Parley's services without a container, with the command and environment of
// the Compose file. PostgreSQL and Temporal are those of the tests.

const OURS = ['migrate', 'api', 'worker'];
const [, command = '', ...args] = process.argv.slice(2);

const commands: Record<string, () => void | Promise<void>> = { up, down, logs, exec, ps };
await commands[command]?.();

async function up(): Promise<void> {
  resolveService('postgres', readComposeVariables());
  createDatabase();
  const status = await new BackgroundService('migrate').run(buildServiceCommand('migrate'));
  if (status !== 0) throw new Error(new BackgroundService('migrate').log);
  for (const name of ['api', ...listWorkers()]) {
    const service = new BackgroundService(name);
    if (!service.isRunning) service.start(buildServiceCommand(name.replace(/-\d+$/, '')));
  }
}

async function down(): Promise<void> {
  for (const name of ['api', ...listWorkers(), 'worker-2', 'worker-3'])
    await new BackgroundService(name).stop();
}

function logs(): void {
  process.stdout.write(new BackgroundService(args.at(-1) ?? '').log);
}

function ps(): void {
  for (const name of ['api', 'worker', 'worker-2', 'worker-3'])
    if (new BackgroundService(name).isRunning) process.stdout.write(`${name.replace(/-\d+$/, '')} running\n`);
}

function exec(): void {
  const [service = '', program = '', ...rest] = args.filter((word) => word !== '--no-TTY');
  const { env, cwd } = buildServiceCommand(service);
  const { status } = spawnSync(program, rest, { env, cwd, stdio: 'inherit' });
  process.exitCode = status ?? 1;
}

function listWorkers(): string[] {
  const [, count = '1'] = /worker=(\d+)/.exec(args.join(' ')) ?? [];
  return Array.from({ length: Number(count) }, (_, index) =>
    index === 0 ? 'worker' : `worker-${index + 1}`,
  );
}

function readComposeVariables() {
  return existsSync('.env') ? { dotEnv: readFileSync('.env', 'utf8') } : {};
}

/** Builds the command of a Compose service, with the addresses that it has outside the containers' network. */
function buildServiceCommand(name: string): ServiceCommand {
  if (!OURS.includes(name)) throw new Error(`There is no ${name} without Docker.`);
  const { environment } = resolveService(name, readComposeVariables());
  const [, ...words] = composeFile.services[name]?.command ?? readImageCommand();
  const { PATH, GUIDE_COMPOSE = '{}' } = process.env;
  const around = JSON.parse(GUIDE_COMPOSE) as Record<string, string>;
  return {
    command: process.execPath,
    args: words,
    env: { PATH, ...environment, ...around },
    cwd: fileURLToPath(projectRoot()),
  };
}

function readImageCommand(): string[] {
  const text = readFileSync(new URL('Dockerfile', projectRoot()), 'utf8');
  return JSON.parse(/^CMD (.*)$/m.exec(text)?.[1] ?? '[]') as string[];
}

function createDatabase(): void {
  const { DATABASE_URL = '' } = JSON.parse(process.env['GUIDE_COMPOSE'] ?? '{}') as Record<string, string>;
  const name = new URL(DATABASE_URL).pathname.slice(1);
  const known = execFileSync('psql', ['--list', '--tuples-only', '--dbname=postgres'], { encoding: 'utf8' });
  if (!known.includes(` ${name} `)) execFileSync('createdb', ['--owner=parley', name]);
}

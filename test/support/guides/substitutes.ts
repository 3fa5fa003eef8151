import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../../scripts/launcher/project-root.ts';
import { readTestTemporalAddress } from '../database.ts';
import { resolvePythonSdkPath, runProgram, findPythonWithTool } from '../python-sdk.ts';

export interface GuideWorld {
  baseUrl: string;
  apiKey: string;
  /** Packed archives of the SDKs, as they are published. */
  packages: Packages;
  /** Free ports of this machine, for the servers that guides start. */
  ports: GuidePorts;
  /** URL of the PostgreSQL server that the tests use. */
  databaseUrl: string;
  /** Folder into which guides install files, in place of `/`. */
  root: string;
}

/** Ports for the servers that guides start. */
export interface GuidePorts {
  receiver: number;
  site: number;
  /** Ports of a Parley that a guide starts, with its PostgreSQL and Temporal. */
  parley: number;
  database: number;
  temporal: number;
  temporalUi: number;
  http: number;
  https: number;
}

export interface Packages {
  typescript: string;
  python: string;
}

interface Substitute {
  /** Text in guides, and in the output that they show, which the tests replace. */
  documented: string;
  /** Text that replaces `documented` when the tests run the guide. */
  actual: (world: GuideWorld) => string;
  reason: string;
}

const PROJECT = fileURLToPath(projectRoot()).replace(/\/$/, '');

/** Differences between guides and tests, in the order in which they are replaced. */
const substitutes: readonly Substitute[] = [
  {
    documented: 'http://localhost:3000',
    actual: ({ baseUrl }) => baseUrl,
    reason: 'The Parley of the tests has a port of its own.',
  },
  {
    documented: 'parley_live_…',
    actual: ({ apiKey }) => apiKey,
    reason: 'Each guide has a workspace of its own, and its key is a secret.',
  },
  {
    documented: '4242',
    actual: ({ ports }) => String(ports.receiver),
    reason: 'Another program may have the port on which guides have receivers.',
  },
  {
    documented: '8080',
    actual: ({ ports }) => String(ports.site),
    reason: 'The same holds for web sites.',
  },
  {
    documented: '127.0.0.1:3000',
    actual: ({ ports }) => `127.0.0.1:${ports.parley}`,
    reason: 'The same holds for a Parley that a guide starts.',
  },
  {
    documented: '127.0.0.1:5433',
    actual: ({ ports }) => `127.0.0.1:${ports.database}`,
    reason: 'The same holds for its PostgreSQL.',
  },
  ...['127.0.0.1', '10.0.0.5'].map((host) => ({
    documented: `postgres://parley:secret@${host}:5432`,
    actual: ({ databaseUrl }: GuideWorld) => new URL(databaseUrl).href.replace(/\/[^/]*$/, ''),
    reason: 'The tests’ PostgreSQL replaces the reader’s.',
  })),
  {
    documented: '10.0.0.6:7233',
    actual: readTestTemporalAddress,
    reason: 'The tests’ Temporal replaces the reader’s.',
  },
  {
    documented: '10.0.0.11:3000',
    actual: ({ ports }) => `127.0.0.1:${ports.parley}`,
    reason: 'This machine replaces the first of several.',
  },
  {
    documented: 'PARLEY_STORAGE=s3',
    actual: () => 'PARLEY_STORAGE=local',
    reason: 'Not each machine has a server for S3; the tests of storage use one.',
  },
  {
    documented: 'cd ~/parley\n',
    actual: ({ root }) => `cd '${root}'\n`,
    reason: 'A guide writes settings there; `docker` finds the Compose file by itself.',
  },
  {
    documented: 'https://parley.example.com',
    actual: ({ ports }) => `https://localhost:${ports.https}`,
    reason: 'The name does not resolve, and the tests may not use ports below 1024.',
  },
  {
    documented: 'parley.example.com',
    actual: () => 'localhost',
    reason: 'Caddy certifies this name by itself.',
  },
  ...['/etc/parley', '/etc/systemd/system', '/etc/caddy', '/etc/temporal', '/var/lib/parley'].map((path) => ({
    documented: path,
    actual: ({ root }: GuideWorld) => join(root, path),
    reason: 'The tests do not change the machine.',
  })),
  {
    documented: '/usr/bin/node',
    actual: () => process.execPath,
    reason: 'Guides run with the Node.js that runs the tests.',
  },
  {
    documented: '~/parley/sdk/typescript',
    actual: ({ packages }) => packages.typescript,
    reason: 'Packed once for all guides; packing it compiles it.',
  },
  {
    documented: '~/parley/sdk/python',
    actual: ({ packages }) => packages.python,
    reason: 'Built once for all guides; pip would fetch what builds it each time.',
  },
  ...['~/parley', '/opt/parley'].map((path) => ({
    documented: path,
    actual: () => PROJECT,
    reason: 'The tests are in the folder of Parley, wherever that is.',
  })),
];

/**
 * Replacements of system programs, such as systemctl, which `test/support/guides/machine.ts` puts first on
 * the path.
 */
export const programs: readonly { name: string; script: string; reason: string }[] = [
  {
    name: 'sudo',
    script: '[ "$1" != useradd ] || exec mkdir -p "$4"\nexec "$@"',
    reason: 'The tests run as one user and create no accounts.',
  },
  {
    name: 'systemctl',
    script: buildProgramScript('systemctl'),
    reason: 'A container has no systemd. Units are verified, and run as they say.',
  },
  { name: 'journalctl', script: buildProgramScript('journalctl'), reason: 'The same holds for its journal.' },
  {
    name: 'docker',
    script: buildProgramScript('docker'),
    reason: 'A container has no Docker. Services of the Compose file run as it says, with its environment.',
  },
];

function buildProgramScript(program: string): string {
  return `exec '${process.execPath}' '${PROJECT}/.tests/test/support/guides/programs/${program}.js' "$@"`;
}

export function applySubstitutes(documented: string, world: GuideWorld): string {
  return substitutes.reduce((text, { documented: each, actual }) => {
    // Replace a port only as a whole number: the tests' port may begin with the same digits.
    const [first = '', ...others] = text.split(each);
    return others.reduce(
      (whole, after) => whole + (/^\d/.test(after) && /\d$/.test(each) ? each : actual(world)) + after,
      first,
    );
  }, documented);
}

/**
 * Packs both SDKs.
 * @throws Error if Python or a package of PyPI is missing
 */
export function packSdks(folder: string): Packages {
  mkdirSync(folder, { recursive: true });
  const builder = findPythonWithTool('hatchling');
  if (builder === undefined)
    throw new Error('Guides need Python 3.10 or later, with venv, and hatchling from PyPI.');
  runProgram(builder, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], {
    cwd: resolvePythonSdkPath(''),
  });
  const source = fileURLToPath(new URL('sdk/typescript', projectRoot()));
  runProgram('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  const [typescript = '', python = ''] = ['.tgz', '.whl'].map(
    (ending) => readdirSync(folder).find((name) => name.endsWith(ending)) ?? '',
  );
  return { typescript: join(folder, typescript), python: join(folder, python) };
}

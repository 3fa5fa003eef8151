import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../../scripts/launcher/project-root.ts';
import { testTemporalAddress } from '../database.ts';
import { inPythonSdk, output, pythonWithTool } from '../python-sdk.ts';

export interface GuideWorld {
  baseUrl: string;
  apiKey: string;
  /** Archives of the SDKs, as they are published. */
  packages: Packages;
  /** Free ports of this machine. */
  ports: GuidePorts;
  /** Of the PostgreSQL of the tests. */
  databaseUrl: string;
  /** What stands for `/` where guides install something. */
  root: string;
}

/** Of what guides start, by what has them. */
export interface GuidePorts {
  receiver: number;
  site: number;
  /** Of a Parley that a guide starts, with its PostgreSQL and its Temporal. */
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
  /** What stands in guides, also in what they show as output. */
  said: string;
  /** What it is when they are run. */
  meant: (world: GuideWorld) => string;
  reason: string;
}

const PROJECT = fileURLToPath(projectRoot()).replace(/\/$/, '');

/** All that guides say and the tests do in another way; what comes first is looked for first. */
const substitutes: readonly Substitute[] = [
  {
    said: 'http://localhost:3000',
    meant: ({ baseUrl }) => baseUrl,
    reason: 'The Parley of the tests has a port of its own.',
  },
  {
    said: 'parley_live_…',
    meant: ({ apiKey }) => apiKey,
    reason: 'Each guide has a workspace of its own, and its key is a secret.',
  },
  {
    said: '4242',
    meant: ({ ports }) => String(ports.receiver),
    reason: 'Another program may have the port on which guides have receivers.',
  },
  {
    said: '8080',
    meant: ({ ports }) => String(ports.site),
    reason: 'The same, of web sites.',
  },
  {
    said: '127.0.0.1:3000',
    meant: ({ ports }) => `127.0.0.1:${ports.parley}`,
    reason: 'The same, of a Parley that a guide starts.',
  },
  {
    said: '127.0.0.1:5433',
    meant: ({ ports }) => `127.0.0.1:${ports.database}`,
    reason: 'The same, of its PostgreSQL.',
  },
  ...['127.0.0.1', '10.0.0.5'].map((host) => ({
    said: `postgres://parley:secret@${host}:5432`,
    meant: ({ databaseUrl }: GuideWorld) => new URL(databaseUrl).href.replace(/\/[^/]*$/, ''),
    reason: 'The PostgreSQL server of a reader is that of the tests.',
  })),
  {
    said: '10.0.0.6:7233',
    meant: testTemporalAddress,
    reason: 'So is the Temporal server.',
  },
  {
    said: '10.0.0.11:3000',
    meant: ({ ports }) => `127.0.0.1:${ports.parley}`,
    reason: 'The first of several machines is this one.',
  },
  {
    said: 'PARLEY_STORAGE=s3',
    meant: () => 'PARLEY_STORAGE=local',
    reason: 'Not each machine has a server for S3; the tests of storage use one.',
  },
  {
    said: 'cd ~/parley\n',
    meant: ({ root }) => `cd '${root}'\n`,
    reason: 'A guide writes settings there; `docker` finds the Compose file by itself.',
  },
  {
    said: 'https://parley.example.com',
    meant: ({ ports }) => `https://localhost:${ports.https}`,
    reason: 'Nobody has the name, and ports below 1024 are not the tests’.',
  },
  {
    said: 'parley.example.com',
    meant: () => 'localhost',
    reason: 'Caddy certifies this name by itself.',
  },
  ...['/etc/parley', '/etc/systemd/system', '/etc/caddy', '/etc/temporal', '/var/lib/parley'].map((path) => ({
    said: path,
    meant: ({ root }: GuideWorld) => join(root, path),
    reason: 'The tests leave the machine as it is.',
  })),
  {
    said: '/usr/bin/node',
    meant: () => process.execPath,
    reason: 'Guides run with the Node.js that runs the tests.',
  },
  {
    said: '~/parley/sdk/typescript',
    meant: ({ packages }) => packages.typescript,
    reason: 'Packed once for all guides; packing it compiles it.',
  },
  {
    said: '~/parley/sdk/python',
    meant: ({ packages }) => packages.python,
    reason: 'Built once for all guides; pip would fetch what builds it each time.',
  },
  ...['~/parley', '/opt/parley'].map((path) => ({
    said: path,
    meant: () => PROJECT,
    reason: 'The tests are in the folder of Parley, wherever that is.',
  })),
];

/** Programs that are not those of the machine; `test/support/guides/machine.ts` puts them first on the path. */
export const programs: readonly { name: string; script: string; reason: string }[] = [
  {
    name: 'sudo',
    script: '[ "$1" != useradd ] || exec mkdir -p "$4"\nexec "$@"',
    reason: 'The tests run as one user, and make no accounts.',
  },
  {
    name: 'systemctl',
    script: compiled('systemctl'),
    reason: 'A container has no systemd. Units are verified, and run as they say.',
  },
  { name: 'journalctl', script: compiled('journalctl'), reason: 'The same.' },
  {
    name: 'docker',
    script: compiled('docker'),
    reason: 'A container has no Docker. Services of the Compose file run as it says, with its environment.',
  },
];

function compiled(program: string): string {
  return `exec '${process.execPath}' '${PROJECT}/.tests/test/support/guides/programs/${program}.js' "$@"`;
}

export function asMeant(said: string, world: GuideWorld): string {
  return substitutes.reduce((text, { said: each, meant }) => {
    // A port is replaced as a whole: that of the tests may begin with the same digits.
    const [first = '', ...others] = text.split(each);
    return others.reduce(
      (whole, after) => whole + (/^\d/.test(after) && /\d$/.test(each) ? each : meant(world)) + after,
      first,
    );
  }, said);
}

/** Makes both archives. @throws Error where Python is not there, or a package of PyPI */
export function packSdks(folder: string): Packages {
  mkdirSync(folder, { recursive: true });
  const builder = pythonWithTool('hatchling');
  if (builder === undefined)
    throw new Error('Guides need Python 3.10 or later, with venv, and hatchling from PyPI.');
  output(builder, ['-m', 'hatchling', 'build', '-t', 'wheel', '-d', folder], { cwd: inPythonSdk('') });
  const source = fileURLToPath(new URL('sdk/typescript', projectRoot()));
  output('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source });
  const [typescript = '', python = ''] = ['.tgz', '.whl'].map(
    (ending) => readdirSync(folder).find((name) => name.endsWith(ending)) ?? '',
  );
  return { typescript: join(folder, typescript), python: join(folder, python) };
}

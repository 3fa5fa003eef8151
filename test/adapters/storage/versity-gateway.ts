import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePorts } from '../../../scripts/launcher/ports.ts';

export interface Gateway {
  endpoint: string;
  bucket: string;
  credentials: { accessKeyId: string; secretAccessKey: string };
  stop(): Promise<void>;
}

/**
 * Path of the S3 server for tests, installed by `GOBIN=~/.cache/parley/bin go install
 * github.com/versity/versitygw/cmd/versitygw@v1.8.0`.
 */
const binary = join(homedir(), '.cache', 'parley', 'bin', 'versitygw');

/** Declares tests that need an S3 server; if it is not installed, their title says so. */
export function describeWithGateway(title: string, tests: () => void): void {
  if (existsSync(binary)) describe(title, tests);
  else describe.skip(`${title}: skipped, as there is no S3 server at ${binary}`, tests);
}

/** Starts an S3 server over its own folder, with one bucket. */
export async function startGateway(): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  const bucket = 'originals';
  await mkdir(join(folder, 'data', bucket), { recursive: true });
  const [port = 0] = await findFreePorts(1);
  const credentials = { accessKeyId: 'parley', secretAccessKey: 'parley-secret' };
  const gateway = spawn(
    binary,
    [
      `--access=${credentials.accessKeyId}`,
      `--secret=${credentials.secretAccessKey}`,
      `--port=127.0.0.1:${port}`,
      '--quiet',
      'posix',
      join(folder, 'data'),
    ],
    { stdio: 'ignore' },
  );
  const exited = once(gateway, 'exit');
  await waitUntilListening(port);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    credentials,
    stop: async () => {
      gateway.kill('SIGTERM');
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function waitUntilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error('versitygw did not start.');
}

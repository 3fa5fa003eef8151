import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Peer {
  /** First line of the script's output, such as its port. */
  line: string;
  pid: number;
  stop(): void;
}

/** Runs a script of the folder `bench` in a separate process, so that it does not share the bench's event loop. */
export async function startPeer(
  script: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<Peer> {
  const peer = spawn(process.execPath, ['--import', 'tsx', `bench/${script}`, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(peer.stdout, 'data')) as [Buffer];
  return { line: printed.toString().trim(), pid: peer.pid!, stop: () => void peer.kill() };
}

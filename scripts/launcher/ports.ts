import { createServer, type AddressInfo, type Server } from 'node:net';
import { LaunchError } from './launch-error.ts';

export interface PortClaim {
  /** 0 takes a free one. */
  port: number;
  host?: string;
  /** What the port is for, and the setting that changes it: both go into the message. */
  purpose: string;
  setting: string;
}

const LOOPBACK = '127.0.0.1';

/**
 * Finds out that all these ports are free and that none is wanted twice.
 * @throws LaunchError naming the port, its purpose and its setting.
 */
export async function claimPorts<Name extends string>(
  claims: Record<Name, PortClaim>,
): Promise<Record<Name, number>> {
  const servers: Server[] = [];
  try {
    const ports: [string, number][] = [];
    for (const [name, claim] of Object.entries<PortClaim>(claims)) {
      const server = await open(claim);
      servers.push(server);
      ports.push([name, (server.address() as AddressInfo).port]);
    }
    return Object.fromEntries(ports) as Record<Name, number>;
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const claim = { port: 0, purpose: 'a test', setting: '' };
  return Object.values(
    await claimPorts(Object.fromEntries(Array.from({ length: count }, (_, i) => [i, claim]))),
  );
}

function open(claim: PortClaim): Promise<Server> {
  const { port, host = LOOPBACK } = claim;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(new LaunchError(explain(error, claim), { cause: error })));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function explain(
  error: NodeJS.ErrnoException,
  { port, host = LOOPBACK, purpose, setting }: PortClaim,
): string {
  if (error.code === 'EADDRNOTAVAIL')
    return `This machine has no address ${host}; set PARLEY_HOST to one it has.`;
  const problem =
    error.code === 'EADDRINUSE'
      ? 'is already in use'
      : error.code === 'EACCES'
        ? 'may not be opened by this user'
        : `cannot be opened (${error.message})`;
  return `Port ${port}, meant for ${purpose}, ${problem}. Free it, or set ${setting} to another port.`;
}

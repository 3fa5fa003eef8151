import { randomInt } from 'node:crypto';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { LaunchError } from './launch-error.ts';

export interface PortClaim {
  /** Requested port number; 0 chooses any free port. */
  port: number;
  host?: string;
  /** Purpose of the port and name of its setting, for the error message if the port is taken. */
  purpose: string;
  setting: string;
}

const LOOPBACK = '127.0.0.1';
const FIRST_FREE = 20_000;
/** First port of the range that Linux uses by default for outgoing connections. */
const FIRST_OF_SYSTEM = 32_768;

/**
 * Checks that all claimed ports are free and distinct, and returns their numbers.
 * @throws LaunchError that names the port, its purpose and its setting
 */
export async function claimPorts<Name extends string>(
  claims: Record<Name, PortClaim>,
): Promise<Record<Name, number>> {
  const servers: Server[] = [];
  try {
    const ports: [string, number][] = [];
    for (const [name, claim] of Object.entries<PortClaim>(claims)) {
      const server = await openPort(claim);
      servers.push(server);
      ports.push([name, (server.address() as AddressInfo).port]);
    }
    return Object.fromEntries(ports) as Record<Name, number>;
  } finally {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

/**
 * Returns random free ports below the range that the system uses for outgoing connections. Such a connection
 * could take a port before Parley uses it.
 * @param draws number of attempts left
 * @throws LaunchError if no attempt found free ports
 */
export async function findFreePorts(count: number, draws = 10): Promise<number[]> {
  const claims = Array.from({ length: count }, () => {
    const port = randomInt(FIRST_FREE, FIRST_OF_SYSTEM);
    return { port, purpose: 'a server', setting: 'its setting' };
  });
  try {
    return Object.values(await claimPorts(Object.fromEntries(claims.entries())));
  } catch (error) {
    if (draws <= 1) throw error;
    return findFreePorts(count, draws - 1);
  }
}

function openPort(claim: PortClaim): Promise<Server> {
  const { port, host = LOOPBACK } = claim;
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) =>
      reject(new LaunchError(describePortProblem(error, claim), { cause: error })),
    );
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function describePortProblem(
  error: NodeJS.ErrnoException,
  { port, host = LOOPBACK, purpose, setting }: PortClaim,
): string {
  if (error.code === 'EADDRNOTAVAIL')
    return `This machine has no address ${host}. Set PARLEY_HOST to one of its addresses.`;
  const problem =
    error.code === 'EADDRINUSE'
      ? 'is already in use'
      : error.code === 'EACCES'
        ? 'requires more rights than this user has'
        : `cannot be opened (${error.message})`;
  return `Port ${port}, meant for ${purpose}, ${problem}. Free the port, or set ${setting} to another port.`;
}

import { createSocket, type Socket } from 'node:dgram';
import { unsafePorts } from '../../adapters/http/address-guard.ts';
import { claimPorts } from './ports.ts';

const LOOPBACK = '127.0.0.1';

export interface ReservedPort {
  port: number;
  /** Ends the reservation of the port, after the port's server has stopped. */
  release(): void;
}

/**
 * Reserves a free TCP port of 127.0.0.1 that browsers block as unsafe. No web page can read what a server
 * sends there, even if the server accepts any `Host` header. Also opens a UDP socket on the same port, by
 * which other launchers see the reservation. Returns undefined if all these ports are in use.
 */
export async function reserveBlockedPort(): Promise<ReservedPort | undefined> {
  for (const port of unsafePorts) {
    const lock = await lockPort(port);
    if (lock === undefined) continue;
    if (await isFree(port)) return { port, release: () => void lock.close() };
    lock.close();
  }
  return undefined;
}

function lockPort(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(undefined));
    socket.bind({ port, address: LOOPBACK, exclusive: true }, () => resolve(socket));
  });
}

function isFree(port: number): Promise<boolean> {
  const claim = claimPorts({ port: { port, purpose: 'metrics', setting: 'TEMPORAL_PORT' } });
  return claim.then(
    () => true,
    () => false,
  );
}

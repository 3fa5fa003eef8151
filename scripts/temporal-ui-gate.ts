import { openHostGate } from '../adapters/http/host-gate.ts';

const usage = 'node dist/scripts/temporal-ui-gate.js <port> <host>:<port>';
const [port = '', target = ''] = process.argv.slice(2);
const [, targetHost, targetPort] = /^([^:]+):(\d+)$/.exec(target) ?? [];
if (!/^\d+$/.test(port) || targetHost === undefined) throw new Error(`Usage: ${usage}`);

// Listen on all interfaces of the container, because Docker publishes the port on the host's loopback address
// only.
const gate = await openHostGate({
  host: '0.0.0.0',
  port: Number(port),
  target: { host: targetHost, port: Number(targetPort) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void gate.close());

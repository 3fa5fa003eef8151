import { isIP, type LookupFunction, type Socket } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Agent, buildConnector, Pool } from 'undici';
import { parseBareHost, type GuardedResolver } from './guarded-resolver.ts';
import { limitFraming } from './limit-framing.ts';
import { OutboundError } from './outbound-error.ts';
import { resumeBeforeEnd } from './resume-before-end.ts';
import { shareTurns } from './share-turns.ts';
import { trackUse } from './used-connections.ts';

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * Time in milliseconds to connect to one address of a host before the client tries the next address. Node's
 * default of 250 ms is too short for distant hosts.
 */
const ADDRESS_ATTEMPT_TIMEOUT_MS = 1_000;

/**
 * Creates an HTTP agent that only connects to addresses that the resolver permits. Callers must set timeouts.
 */
export function createGuardedAgent(resolver: GuardedResolver, ca?: string): Agent {
  return new Agent({
    factory: (origin) =>
      new Pool(origin, {
        headersTimeout: 0,
        bodyTimeout: 0,
        connect: createGuardedConnector(new URL(origin), resolver, ca),
      }),
  });
}

function createGuardedConnector(
  origin: URL,
  resolver: GuardedResolver,
  ca?: string,
): buildConnector.connector {
  const connect = buildConnector({
    timeout: CONNECT_TIMEOUT_MS,
    lookup: createGuardedLookup(origin, resolver),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_TIMEOUT_MS,
    ...(ca === undefined ? {} : { ca: [...rootCertificates, ca] }),
  });
  return (options, callback) => {
    const connectChecked = () =>
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        try {
          if (socket.remoteAddress === undefined) throw createClosedEarlyError(origin);
          resolver.assertPermitted(origin, socket.remoteAddress);
        } catch (refusal) {
          socket.destroy();
          return callback(toError(refusal), null);
        }
        trackUse(socket);
        tolerateContinue(socket);
        limitFraming(socket, parseBareHost(origin));
        shareTurns(socket);
        resumeBeforeEnd(socket);
        return callback(null, socket);
      });
    // Check IP addresses in URLs here, since sockets do not call the resolver for them.
    if (isIP(parseBareHost(origin)) === 0) connectChecked();
    else
      resolver
        .resolveAddresses(origin)
        .then(connectChecked, (error: unknown) => callback(toError(error), null));
  };
}

const CONTINUE = Buffer.from('HTTP/1.1 100');
const PROCESSING_DIGIT = '2'.charCodeAt(0);

/**
 * Accepts a server's unexpected `100 Continue` before a response (RFC 9110, 15.2), for which undici would
 * close the connection. Rewrites it to `102 Processing`, which undici skips.
 */
function tolerateContinue(socket: Socket): void {
  const originalRead = socket.read.bind(socket);
  socket.read = (sizeBytes) => {
    const chunk: unknown = originalRead(sizeBytes);
    if (chunk instanceof Buffer && chunk.subarray(0, CONTINUE.length).equals(CONTINUE)) {
      chunk[CONTINUE.length - 1] = PROCESSING_DIGIT;
    }
    return chunk;
  };
}

function createGuardedLookup(origin: URL, resolver: GuardedResolver): LookupFunction {
  return (_name, options, callback) => {
    resolver.resolveAddresses(origin).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: unknown) => callback(toError(error), []),
    );
  };
}

function createClosedEarlyError(origin: URL): OutboundError {
  return new OutboundError('connection_reset', `${origin.hostname} closed the connection immediately.`);
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

import { createApp } from '../../api/app.ts';
import { Authenticator } from '../../api/http/access/authenticate.ts';
import { createClientErrorHandler } from '../../api/http/problems/client-error.ts';
import { IdempotencyGuard } from '../../api/http/idempotency.ts';
import type { Operation } from '../../api/http/operation.ts';
import { LongReads } from '../../api/http/limits/long-reads.ts';
import { UnreadResponses } from '../../api/http/response/unread-responses.ts';
import { startHttpServer, type ListenOptions, type RunningServer } from '../../api/server.ts';
import type { Runtime } from '../../services/runtime.ts';

/** Serves operations that a test defines, as the API serves its own operations. */
export async function serveOperations(
  operations: readonly Operation[],
  { settings, database, services, keyring, log }: Runtime,
  options: Pick<ListenOptions, 'headersTimeoutMs' | 'idleTimeoutMs' | 'connectionLimit'> = {},
): Promise<RunningServer & { baseUrl: string; longReads: LongReads; unreadResponses: UnreadResponses }> {
  const {
    requests: { rateLimiter },
    versions,
  } = services;
  const longReads = new LongReads(settings);
  const unreadResponses = new UnreadResponses(settings);
  const app = createApp(operations, {
    settings,
    database,
    services,
    authenticator: new Authenticator({
      database,
      keyring,
      tokens: services.accounts.sessionTokens,
      settings,
    }),
    idempotency: new IdempotencyGuard(database, keyring),
    rateLimiter,
    longReads,
    unreadResponses,
    versions,
    log,
  });
  const onClientError = createClientErrorHandler(settings, versions);
  const { requestTimeoutMs } = settings;
  const server = await startHttpServer(app, {
    host: '127.0.0.1',
    port: 0,
    onClientError,
    requestTimeoutMs,
    ...options,
  });
  return { ...server, longReads, unreadResponses, baseUrl: `http://127.0.0.1:${server.port}` };
}

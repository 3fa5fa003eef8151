import { createApp } from '../../api/app.ts';
import { Authenticator } from '../../api/http/access/authenticate.ts';
import { createClientErrorHandler } from '../../api/http/problems/client-error.ts';
import { IdempotencyGuard } from '../../api/http/idempotency.ts';
import type { Operation } from '../../api/http/operation.ts';
import { LongReads } from '../../api/http/limits/long-reads.ts';
import { UnreadAnswers } from '../../api/http/response/unread-answers.ts';
import { startHttpServer, type ListenOptions, type RunningServer } from '../../api/server.ts';
import type { Runtime } from '../../services/runtime.ts';

/** Serves a test's own operations like those of the API. */
export async function serveOperations(
  operations: readonly Operation[],
  { settings, database, services, keyring, log }: Runtime,
  options: Pick<ListenOptions, 'headersTimeoutMs' | 'idleTimeoutMs' | 'connectionLimit'> = {},
): Promise<RunningServer & { baseUrl: string; longReads: LongReads; unreadAnswers: UnreadAnswers }> {
  const {
    requests: { rateLimiter },
    versions,
  } = services;
  const longReads = new LongReads(settings);
  const unreadAnswers = new UnreadAnswers(settings);
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
    unreadAnswers,
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
  return { ...server, longReads, unreadAnswers, baseUrl: `http://127.0.0.1:${server.port}` };
}

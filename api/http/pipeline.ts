import type Koa from 'koa';
import { Type } from '@sinclair/typebox';
import type { ApiVersions } from '../../core/api-versions.ts';
import type { Settings } from '../../core/settings.ts';
import { AppError, type ErrorDetail } from '../../core/errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../entities/database.ts';
import type { RateLimiter } from '../../services/rate-limiter.ts';
import type { Services } from '../../services/services.ts';
import type { Authenticator } from './authenticate.ts';
import { readJsonBody } from './body.ts';
import { compileExecution } from './execute.ts';
import { readIdempotencyKey, type IdempotencyGuard } from './idempotency.ts';
import { readUpload } from './multipart.ts';
import { isMultipart, type Operation } from './operation.ts';
import { callerOf, requireRole, type AuthKind, type ContextOf, type RequestContext } from './principal.ts';
import type { RequestBasics } from './request-basics.ts';
import { addressCharge, enforceLimit, keyCharge, visitorCharge } from './rate-limit.ts';
import { compileResponder, mediaTypesOf, negotiate } from './respond.ts';
import { grants } from './scopes.ts';
import { assertValid, compileCheck } from './validate.ts';
import { compileVersions, type VersionedOperation } from './version.ts';

export interface EngineDeps {
  settings: Settings;
  database: Database;
  services: Services;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  idempotency: IdempotencyGuard;
  versions: ApiVersions;
  log: Logger;
}

export type OperationRunner = (
  koa: Koa.Context,
  basics: RequestBasics,
  pathParams: Record<string, string | undefined>,
) => Promise<void>;

/** What identification adds to a request's basics. */
type Identity = {
  [A in AuthKind]: Omit<ContextOf<A>, keyof RequestContext> & { apiVersion: string | null };
}[AuthKind];

/**
 * The one way every request takes: who calls, is there budget, may they, is the request valid, then the handler in its
 * unit of work, then the response through its schema.
 */
export function compileOperation(operation: Operation, deps: EngineDeps): OperationRunner {
  const readInput = compileInput(operation, deps.settings);
  const versioned = compileVersions(operation, deps.versions, deps.settings.baseUrl);
  const responder = compileResponder(operation, versioned, deps.settings);
  const mediaTypes = mediaTypesOf(operation.success.spec);
  const identify = identifierOf(operation, deps);
  const execute = compileExecution(operation, responder, deps);

  return async (koa, basics, pathParams) => {
    const { apiVersion, ...identity } = await identify(koa, basics, pathParams);
    const version = deps.versions.resolve(koa.headers['x-api-version']?.toString(), apiVersion);
    koa.set('X-API-Version', version);
    const own = versioned.get(version);
    if (own) koa.set(own.headers);
    requireRights(operation, identity);
    const accepts = negotiate(koa, mediaTypes);
    const idempotencyKey = operation.isWrite ? readIdempotencyKey(koa.req) : undefined;
    const request = {
      ...(await readInput(koa, pathParams, own)),
      accepts,
      headers: koa.headers,
      idempotencyKey,
      markReplay: () => koa.set('Idempotent-Replay', 'true'),
    };
    const inputFor = (db: Database) => ({ ctx: contextOf(basics, identity, version, db), ...request });
    for (const limit of (await operation.limits?.(inputFor(deps.database), deps.services)) ?? []) {
      await enforceLimit(koa, deps.rateLimiter, { shared: limit });
    }
    responder.send(koa, await execute(inputFor, { method: koa.method, path: koa.path }), basics);
  };
}

/** The basics with what is known by now; its signal and logger are still made on demand. */
function contextOf(basics: RequestBasics, identity: object, version: string, db: Database): RequestContext {
  const { requestId, ip, origin } = basics;
  return {
    requestId,
    ip,
    origin,
    get signal() {
      return basics.signal;
    },
    get log() {
      return basics.log;
    },
    ...identity,
    version,
    db,
  };
}

type Identifier = (
  koa: Koa.Context,
  basics: RequestBasics,
  params: Record<string, string | undefined>,
) => Promise<Identity>;

function identifierOf(
  operation: Operation,
  { authenticator, rateLimiter, settings }: EngineDeps,
): Identifier {
  if (operation.isUnmetered) return async () => ({ apiVersion: null });
  const spendAddress = (koa: Koa.Context, { ip }: RequestBasics) =>
    enforceLimit(koa, rateLimiter, addressCharge(ip, settings));
  if (operation.auth === 'public') {
    return async (koa, basics) => {
      await spendAddress(koa, basics);
      return { apiVersion: null };
    };
  }
  const authenticate =
    operation.auth === 'key' ? apiKeyIdentity(authenticator) : visitorIdentity(authenticator);
  return async (koa, basics, params) => {
    // A call that fails to identify itself spends its address's budget, never a workspace's.
    const identity = await authenticate(koa, params).catch(async (error: unknown) => {
      await spendAddress(koa, basics);
      throw error;
    });
    basics.caller = callerOf(identity);
    const charge =
      'keyId' in identity
        ? keyCharge(identity, settings)
        : visitorCharge(basics.ip, identity.conversationId, settings);
    await enforceLimit(koa, rateLimiter, charge);
    return identity;
  };
}

function apiKeyIdentity(authenticator: Authenticator) {
  return (koa: Koa.Context) => authenticator.apiKey(koa.req);
}

function visitorIdentity(authenticator: Authenticator) {
  return async (koa: Koa.Context, params: Record<string, string | undefined>) => ({
    ...(await authenticator.visitor(koa.req, params['session_id'] ?? '')),
    apiVersion: null,
  });
}

function requireRights({ scope, role }: Operation, identity: object): void {
  if (!('scopes' in identity) || !('role' in identity)) return;
  const { scopes, role: actual } = identity as Extract<Identity, { role: unknown }>;
  if (scope && !grants(scopes, scope)) throw new AppError('forbidden', `The key lacks the scope ${scope}.`);
  if (role) requireRole(actual, role);
}

function compileInput(operation: Operation, settings: Settings) {
  const empty = Type.Object({}, { additionalProperties: false });
  const checkParams = compileCheck(operation.params ?? empty, 'path');
  const checkQuery = compileCheck(operation.query ?? empty, 'query');
  const readBody = bodyReader(operation, settings);
  return async (
    koa: Koa.Context,
    pathParams: Record<string, string | undefined>,
    own: VersionedOperation | undefined,
  ) => {
    const params = { ...pathParams };
    const query: Record<string, unknown> = { ...koa.query };
    const refused = [...checkParams(params), ...checkQuery(query)];
    return { params, query, body: await readBody(koa, own, refused) };
  };
}

/** @throws AppError `validation_error` for what is wrong with the body, and for what was `refused` before it */
type BodyReader = (
  koa: Koa.Context,
  own: VersionedOperation | undefined,
  refused: ErrorDetail[],
) => Promise<unknown>;

function bodyReader({ body, maxBodyBytes }: Operation, settings: Settings): BodyReader {
  if (!body) return async (_koa, _own, refused) => assertValid(refused);
  if (isMultipart(body)) {
    const checkFields = compileCheck(body.multipart, 'body');
    const { maxFileBytes = settings.uploadMaxBytes } = body;
    return async (koa, _own, refused) => {
      assertValid(refused);
      return readUpload(koa.req, maxFileBytes, checkFields);
    };
  }
  const check = compileCheck(body, 'body');
  return async (koa, own, refused) => {
    const received = await readJsonBody(koa.req, maxBodyBytes).catch((error: unknown) => {
      assertValid(refused);
      throw error;
    });
    const value = own ? own.upgrade(received) : received;
    assertValid([...refused, ...check(value)]);
    return value;
  };
}

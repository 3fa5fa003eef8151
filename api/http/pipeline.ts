import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { Type, type TSchema } from '@sinclair/typebox';
import type { Settings } from '../../core/settings/settings.ts';
import type { ErrorCode } from '../../core/errors/error-codes.ts';
import { AppError, validationError, type ErrorDetail } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { AccessNotice } from '../../services/team/access-words.ts';
import type { Charge } from '../../services/requests/rate-limiter.ts';
import type { HandlerRecords } from './access/audit.ts';
import { validateTruncated, schemaLimits } from './limits/body-limits.ts';
import { readJsonBody, readJsonBytes } from './body/body.ts';
import { findRequestedExcerpt } from './excerpt-requests.ts';
import { compileExecution, requestParts } from './execute.ts';
import { requireFreshProof } from './access/fresh-proof.ts';
import { GuessLimit, buildGuessLimits } from './limits/guess-limit.ts';
import { readIdempotencyKey, type JsonResponse } from './idempotency.ts';
import { chooseFileLimit, readUpload } from './body/multipart.ts';
import { compileLocation } from './created-resource.ts';
import { findEntityTag } from './entity-tags.ts';
import {
  isBodyRequired,
  isContentSpec,
  isMultipart,
  isRaw,
  type AuditedObject,
  type Operation,
  type Reply,
  type ResponseSpec,
} from './operation.ts';
import { toCaller, type Caller, type RequestContext, type UserContext } from './access/principal.ts';
import { createCloseSignal, type RequestBasics } from './request-basics.ts';
import { addressCharge, enforceLimit, personCharge, visitorCharge } from './limits/rate-limit.ts';
import {
  compileResponder,
  countBufferedBytes,
  isReply,
  listMediaTypes,
  negotiate,
} from './response/respond.ts';
import { EndedCallerPrincipals, readPathOrgId } from './access/ended-caller-principals.ts';
import { authorize } from './access/rights.ts';
import type { Check } from './schemas/check.ts';
import { assertValid, compileCheck } from './schemas/validate.ts';
import { compileVersions, type VersionedOperation } from './version.ts';
import { parseQuery } from './schemas/parse-query.ts';
import type { EngineDeps } from './engine-deps.ts';

export type OperationRunner = (
  koa: Koa.Context,
  basics: RequestBasics,
  pathParams: Record<string, string | undefined>,
) => Promise<void>;

/** A caller of an operation after authentication, before authorization. */
interface IdentifiedCaller {
  caller: Caller;
  charge: Charge;
  apiVersion: string | null;
  /**
   * Returns the part of the handler's context about the caller.
   * @throws AppError if the caller lacks the required rights
   */
  getRights: () => object;
}

const anonymous = (charge: IdentifiedCaller['charge']) => ({
  apiVersion: null,
  charge,
  getRights: () => ({}),
  readCurrentRights: async () => ({}),
});

/**
 * Compiles an operation to the function that processes its requests: authenticate, count against limits,
 * authorize, validate, run the handler in a transaction, and render the response.
 */
export function compileOperation(
  operation: Operation,
  deps: EngineDeps,
  all: readonly Operation[],
): OperationRunner {
  const readInput = compileInput(operation, deps.settings);
  const versioned = compileVersions(operation, deps.versions, deps.settings.baseUrl);
  const responder = compileResponder(operation, versioned, deps.settings);
  const mediaTypes = listMediaTypes(operation.success.spec);
  const identify = selectIdentifier(operation, deps);
  const execute = compileExecution(operation, responder, deps);
  const sendMetadata = compileMetadata(operation, all);
  const ended = operation.endsCaller ? new EndedCallerPrincipals(operation, deps) : undefined;

  const runOperation: OperationRunner = async (koa, basics, pathParams) => {
    const { apiVersion, charge, getRights, readCurrentRights } = await identify(koa, basics, pathParams);
    const version = deps.versions.resolve(koa.headers['x-api-version']?.toString(), apiVersion);
    koa.set('X-API-Version', version);
    const versionedOperation = versioned.get(version);
    if (versionedOperation) koa.set(versionedOperation.headers);
    const initialRights = getRights();
    basics.isAuthorized = true;
    const accepts = negotiate(koa, mediaTypes);
    const idempotencyKey = operation.isWrite ? readIdempotencyKey(koa.req) : undefined;
    const isComplete = koa.req.complete;
    const { params, query, body, sentFields } = await readInput(koa, pathParams, versionedOperation);
    // Reads the caller's rights again if the body arrived after the headers: the caller may have lost them in
    // the meantime.
    const rights = isComplete ? initialRights : await readCurrentRights();
    requireFreshProof(operation, rights, body);
    const records: HandlerRecords = {};
    const buildInput = (db: Database) => ({
      ctx: buildContext(basics, rights, version, db),
      params,
      query,
      body,
      sentFields,
      records,
      noteSubjects: (subjects: readonly AuditedObject[]) => void (records.subjects = subjects),
      notifyOwners: (notice: AccessNotice) => void (records.notice = notice),
      accepts,
      headers: koa.headers,
      excerpt: findRequestedExcerpt(koa.req),
      isHead: koa.method === 'HEAD',
      idempotencyKey,
      markReplay: () => koa.set('Idempotent-Replay', 'true'),
      setCookie: (cookie: string) => koa.set('Set-Cookie', cookie),
      linkNext: (query: Record<string, string> | null) => query && linkNext(koa, query),
      getCloseSignal: () => createCloseSignal(koa.res),
      isStillEntitled: () => isEntitled(readCurrentRights()),
      requireRights: async () => void (await readCurrentRights()),
      listPrincipalsIfEnded: async (within: Database) =>
        ended ? ended.listPrincipalsIfEnded(within, koa.req, pathParams, rights as UserContext) : [],
    });
    for (const limit of (await operation.limits?.(buildInput(deps.database), deps.services)) ?? []) {
      await enforceLimit(koa, deps.rateLimiter, 'shared' in limit ? limit : { shared: limit });
    }
    if (operation.readsContent) await requireKey(rights, deps);
    await requireNamedResources(operation, rights, query, deps);
    const target = { method: koa.method, path: koa.path };
    const guesses = createGuessLimit(operation, koa, basics, deps);
    await guesses?.check(deps.database);
    const respond = async () => {
      const result = await execute(buildInput, target, guesses).catch(async (error: unknown) => {
        if (error instanceof AppError) await error.afterRollback?.();
        throw guesses ? await guesses.count(error) : error;
      });
      // Counts only responses of reads against the memory limit: a write is committed, so its response must
      // be sent.
      if (!operation.isWrite)
        deps.unreadResponses.add(charge.shared.key, countBufferedBytes(result), koa.res);
      return result;
    };
    const response = await (operation.isLong
      ? deps.longReads.run(operation.auth, charge.shared.key, koa.res, respond)
      : respond());
    sendMetadata(koa, response);
    responder.send(koa, response, basics);
  };
  if (!ended) return runOperation;

  const recallForEndedCaller = async (
    koa: Koa.Context,
    pathParams: Record<string, string | undefined>,
  ): Promise<JsonResponse | null> => {
    const key = readIdempotencyKey(koa.req);
    // Skips requests whose body was already read, since the fingerprint needs the body.
    if (key === undefined || koa.req.readableEnded) return null;
    const names = await ended.listPrincipals(koa.req, pathParams);
    if (!(await deps.idempotency.hasResponse(names, key))) return null;
    const version = deps.versions.resolve(koa.headers['x-api-version']?.toString(), null);
    koa.set('X-API-Version', version);
    const { query, body } = await readInput(koa, pathParams, versioned.get(version));
    const { method, path } = koa;
    const accepts = negotiate(koa, mediaTypes);
    const parts = requestParts({ method, path, query, version, accepts, body });
    return deps.idempotency.recallAny(names, key, parts);
  };

  return async (koa, basics, pathParams) => {
    try {
      await runOperation(koa, basics, pathParams);
    } catch (error) {
      if (!(error instanceof AppError) || !LOST_ACCESS.has(error.code)) throw error;
      const response = await nullIfRefused(recallForEndedCaller(koa, pathParams));
      if (!response) throw error;
      koa.set('Idempotent-Replay', 'true');
      sendMetadata(koa, response);
      responder.send(koa, response, basics);
    }
  };
}

/**
 * Adds the header Link (RFC 8288) to the next part of a list: the request's URL with these query parameters
 * replaced.
 */
function linkNext(koa: Koa.Context, query: Record<string, string>): void {
  const parameters = new URLSearchParams(koa.querystring);
  for (const [name, value] of Object.entries(query)) parameters.set(name, value);
  koa.append('Link', `<${koa.path}?${parameters.toString()}>; rel="next"`);
}

/** Compiles a function that sets the headers ETag and Location, derived from an operation's response. */
function compileMetadata(operation: Operation, all: readonly Operation[]) {
  const buildLocation = compileLocation(operation, all);
  return (koa: Koa.Context, response: JsonResponse | Reply): void => {
    if (isReply(response)) return;
    const tag = findEntityTag(operation, response.body);
    if (tag !== undefined) koa.set('ETag', tag);
    if (buildLocation) koa.set('Location', buildLocation(koa.path, response.body));
  };
}

/**
 * Returns null if the stored response to the first request cannot be replayed. The error is hidden, since a
 * caller without access must not learn more about the request.
 */
async function nullIfRefused<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Error codes for callers who have lost access, or whose workspace was deleted. */
const LOST_ACCESS: ReadonlySet<ErrorCode> = new Set(['unauthenticated', 'forbidden', 'not_found']);

/**
 * Checks that the encryption key of the caller's workspace is available.
 * @throws AppError `key_unavailable`
 */
async function requireKey(rights: object, { services }: EngineDeps): Promise<void> {
  if ('orgId' in rights && typeof rights.orgId === 'string')
    await services.encryption.contentKeys.require(rights.orgId);
}

/**
 * Checks that the resources whose ids are in the query belong to the workspace.
 * @throws AppError `forbidden` or `not_found`
 */
async function requireNamedResources(
  { namedResources }: Operation,
  rights: object,
  query: Record<string, unknown>,
  { services, database: db }: EngineDeps,
): Promise<void> {
  const { orgId } = rights as { orgId?: string | null };
  if (typeof orgId !== 'string') return;
  for (const { parameter, kind } of namedResources) {
    const id = query[parameter];
    if (typeof id === 'string') await services.requests.namedResources.require({ orgId, db }, kind, id);
  }
}

function createGuessLimit(
  { guesses: kind }: Operation,
  koa: Koa.Context,
  { ip }: RequestBasics,
  { rateLimiter, settings }: EngineDeps,
): GuessLimit | undefined {
  return kind && new GuessLimit(koa, rateLimiter, buildGuessLimits(kind, ip, settings));
}

/** Builds the handler's context. */
function buildContext(
  { requestId, ip, origin }: RequestBasics,
  identity: object,
  version: string,
  db: Database,
): RequestContext {
  return { ...identity, requestId, ip, origin, version, db };
}

type Identifier = (
  koa: Koa.Context,
  basics: RequestBasics,
  params: Record<string, string | undefined>,
) => Promise<
  Pick<IdentifiedCaller, 'apiVersion' | 'charge' | 'getRights'> & {
    /**
     * Authenticates the request again, and returns the caller's current rights.
     * @throws AppError if the caller has lost these rights
     */
    readCurrentRights: () => Promise<object>;
  }
>;

function selectIdentifier(operation: Operation, deps: EngineDeps): Identifier {
  const { rateLimiter, settings } = deps;
  if (operation.isUnmetered) return async (_koa, { ip }) => anonymous(addressCharge(ip, settings));
  const chargeAddress = async (koa: Koa.Context, { ip }: RequestBasics) => {
    const charge = addressCharge(ip, settings);
    await enforceLimit(koa, rateLimiter, charge);
    return charge;
  };
  if (operation.auth === 'public') return async (koa, basics) => anonymous(await chargeAddress(koa, basics));
  const authenticate = operation.auth === 'visitor' ? identifyVisitor(deps) : identifyPerson(operation, deps);
  return async (koa, basics, params) => {
    // Counts a request that fails authentication against the limit of its IP address, never of a workspace.
    const identified = await authenticate(koa, basics, params).catch(async (error: unknown) => {
      await chargeAddress(koa, basics);
      throw error;
    });
    basics.caller = identified.caller;
    await enforceLimit(koa, rateLimiter, identified.charge);
    const readCurrentRights = async () => (await authenticate(koa, basics, params)).getRights();
    return { ...identified, readCurrentRights };
  };
}

async function isEntitled(rights: Promise<object>): Promise<boolean> {
  try {
    await rights;
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

type Authentication = (...request: Parameters<Identifier>) => Promise<IdentifiedCaller>;

function identifyPerson(operation: Operation, { authenticator, settings }: EngineDeps): Authentication {
  return async (koa, { ip }, params) => {
    const holder = await authenticator.requirePerson(koa.req, readPathOrgId(params));
    return {
      caller: toCaller(holder),
      charge: personCharge(holder, ip, settings),
      apiVersion: holder.apiVersion,
      getRights: () => authorize(operation, holder),
    };
  };
}

function identifyVisitor({ authenticator, settings }: EngineDeps): Authentication {
  return async (koa, { ip }, params) => {
    const visitor = await authenticator.requireVisitor(koa.req, params['session_id'] ?? '');
    return {
      caller: toCaller(visitor),
      charge: visitorCharge(ip, visitor.conversationId, settings),
      apiVersion: null,
      getRights: () => visitor,
    };
  };
}

const NO_PARAMETERS = Type.Object({}, { additionalProperties: false });

function compileInput(operation: Operation, settings: Settings) {
  const checkParams = compileCheck(operation.params ?? NO_PARAMETERS, 'path');
  const checkQuery = compileCheck(operation.query ?? NO_PARAMETERS, 'query');
  const readBody = compileBodyReader(operation, settings);
  return async (
    koa: Koa.Context,
    pathParams: Record<string, string | undefined>,
    versionedOperation: VersionedOperation | undefined,
  ) => {
    const params = { ...pathParams };
    const query: Record<string, unknown> = parseQuery(koa);
    const errors = [...checkParams(params), ...checkQuery(query)];
    return { params, query, ...(await readBody(koa, versionedOperation, errors)) };
  };
}

/**
 * Reads and validates the body of a request.
 * @throws AppError `validation_error` for errors in the body, and for the errors in path and query (`errors`)
 */
type BodyReader = (
  koa: Koa.Context,
  versionedOperation: VersionedOperation | undefined,
  errors: ErrorDetail[],
) => Promise<{ body: unknown; sentFields: readonly string[] }>;

function compileBodyReader(
  { body, maxBodyBytes, unknownFieldHints, success }: Operation,
  settings: Settings,
): BodyReader {
  if (!body)
    return async (_koa, _version, errors) => {
      assertValid(errors);
      return { body: undefined, sentFields: [] };
    };
  const readOnlyFields = listFields(success.spec);
  if (isMultipart(body)) {
    const checkFields = compileCheck(body.multipart, 'body', unknownFieldHints, readOnlyFields);
    const limit = chooseFileLimit(body, settings);
    return async (koa, _version, errors) => {
      assertValid(errors);
      return { body: await readUpload(koa.req, limit, checkFields), sentFields: [] };
    };
  }
  if (isRaw(body))
    return async (koa, _version, errors) => {
      assertValid(errors);
      return { body: await readJsonBytes(koa.req, maxBodyBytes), sentFields: [] };
    };
  const check = compileCheck(body, 'body', unknownFieldHints, readOnlyFields);
  const readJson = compileJsonReader(body, maxBodyBytes, check);
  return async (koa, versionedOperation, errors) => {
    const received = await readJson(koa.req, versionedOperation).catch((error: unknown) => {
      assertValid(errors);
      throw error;
    });
    assertValid([...errors, ...received.errors]);
    return { body: received.value, sentFields: received.sentFields };
  };
}

/** Lists the fields of a response that is a JSON object. */
function listFields(spec: ResponseSpec): string[] {
  return isContentSpec(spec) ? [] : Object.keys((spec['properties'] ?? {}) as object);
}

/**
 * Maximum number of values in a JSON body, including lists and objects. Parsing and validating so many blocks
 * the event loop for a few milliseconds.
 */
const MAX_JSON_VALUES = 20_000;

/** Compiles a function that reads a JSON body, and returns its value with all validation errors. */
function compileJsonReader(body: TSchema, maxBytes: number, check: Check) {
  const isRequired = isBodyRequired(body);
  const schemaBounds = schemaLimits(body);
  const bounds = { ...schemaBounds, values: Math.min(schemaBounds.values, MAX_JSON_VALUES) };
  // Bodies of older API versions have no limits by schema, since the limits of these versions may have been
  // higher.
  const versionedBounds = { values: MAX_JSON_VALUES, units: Infinity };
  return async (request: IncomingMessage, versionedOperation: VersionedOperation | undefined) => {
    const received = await readJsonBody(request, maxBytes, versionedOperation ? versionedBounds : bounds);
    if (!received && isRequired) throw validationError([noBody]);
    const { value: sent, isTruncated } = received ?? { value: {}, isTruncated: false };
    const value = versionedOperation ? versionedOperation.upgrade(sent) : sent;
    // Reads the names of the sent fields before validation, which adds fields with defaults.
    const sentFields = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    return { value, sentFields, errors: isTruncated ? validateTruncated(value, body, check) : check(value) };
  };
}

const noBody: ErrorDetail = { field: '(body)', in: 'body', code: 'required', message: 'is required' };

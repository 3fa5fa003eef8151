import { AppError } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import { isRolledBack } from '../../database/transaction.ts';
import type { NoticeReader } from '../../repositories/mail/notice.sql.ts';
import { compileAudit, type Audit, type HandlerRecords } from './access/audit.ts';
import { describeDevice } from './access/device.ts';
import { isStream, captureLastEvent, replayAsStream } from './response/response-streams.ts';
import { EVENT_STREAM } from './response/event-stream.ts';
import type { GuessLimit } from './limits/guess-limit.ts';
import { AlreadyResponded, type IdempotencyGuard, type JsonResponse } from './idempotency.ts';
import {
  isReleasable,
  isMultipart,
  isReceivedData,
  type HandlerInput,
  type Operation,
  type Reply,
} from './operation.ts';
import { compilePrecondition } from './entity-tags.ts';
import { toCaller, type AuthKind, type Caller, type UserContext } from './access/principal.ts';
import { isReply, type Responder } from './response/respond.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { IdempotentRequest } from '../../repositories/requests/idempotency.sql.ts';

/** The handler's input, and additional data for the engine that runs the operation. */
interface EngineInput extends HandlerInput<AuthKind, unknown, unknown, unknown> {
  records: HandlerRecords;
  /**
   * Checks the caller's rights again.
   * @throws AppError if the caller has lost these rights
   */
  requireRights(): Promise<void>;
  /**
   * Returns additional identities of the caller under which to store the response, if the transaction has
   * ended the caller's access.
   */
  listPrincipalsIfEnded(db: Database): Promise<string[]>;
}

type Input = EngineInput;
type BuildInput = (db: Database) => Input;
type OperationResponse = JsonResponse | Reply;
type Execution = (buildInput: BuildInput, target: Target, guesses?: GuessLimit) => Promise<OperationResponse>;

interface Target {
  method: string;
  path: string;
}

interface HandlerOutcome {
  response: OperationResponse;
  /** Result of the handler, before it is rendered as a response. */
  result: unknown;
}

interface Outcome extends HandlerOutcome {
  /** The idempotent request under each identity of the caller for which the response is stored. */
  requestsToAnswer: IdempotentRequest[];
}

/**
 * Compiles the execution of an operation for valid requests. A write runs in one transaction; with an
 * idempotency key, it runs only once.
 */
export function compileExecution(operation: Operation, responder: Responder, deps: EngineDeps): Execution {
  const execution = new OperationExecution(operation, responder, deps);
  if (!operation.isWrite) return (buildInput) => execution.runRead(buildInput);
  if (operation.transaction === 'manual')
    return (buildInput, target) => execution.runReserved(buildInput(deps.database), target);
  if (operation.transaction === 'statement')
    return (buildInput, target) => execution.runStatement(buildInput, target);
  return (buildInput, target, guesses) => execution.runOnce(buildInput, target, guesses);
}

class OperationExecution {
  readonly #operation: Operation;
  readonly #responder: Responder;
  readonly #deps: EngineDeps;
  readonly #audit: Audit | undefined;
  readonly #precondition: ReturnType<typeof compilePrecondition>;

  constructor(operation: Operation, responder: Responder, deps: EngineDeps) {
    this.#operation = operation;
    this.#responder = responder;
    this.#deps = deps;
    this.#audit = compileAudit(operation);
    this.#precondition = compilePrecondition(operation, deps);
  }

  async run(input: Input): Promise<OperationResponse> {
    return (await this.#handle(input, await this.#prepareEntitled(input))).response;
  }

  /**
   * Runs an operation that only reads. If owners must be notified, stores the email before any content is
   * sent.
   */
  async runRead(buildInput: BuildInput): Promise<OperationResponse> {
    const { database } = this.#deps;
    const input = buildInput(database);
    if (this.#operation.notifies === undefined || input.isHead) return this.run(input);
    const { response, result } = await this.#handle(input, await this.#prepareEntitled(input));
    await database.transaction((db) => this.#mailOwners(buildInput(db), result, undefined));
    return response;
  }

  /**
   * Runs the handler of a write that detects repeated requests itself. The idempotency key only ensures that
   * repeated requests are identical.
   */
  async runReserved(input: Input, target: Target): Promise<OperationResponse> {
    const { database, idempotency } = this.#deps;
    const request = await toIdempotentRequest(idempotency, input, target, input.body);
    return request ? idempotency.withReservation(database, request, () => this.run(input)) : this.run(input);
  }

  /**
   * Runs a write that consists of a single SQL statement. Without an idempotency key, it needs no
   * transaction, so that it can be batched with other writes.
   */
  runStatement(buildInput: BuildInput, target: Target): Promise<OperationResponse> {
    const input = buildInput(this.#deps.database);
    return input.idempotencyKey === undefined ? this.run(input) : this.runOnce(buildInput, target);
  }

  async runOnce(buildInput: BuildInput, target: Target, guesses?: GuessLimit): Promise<OperationResponse> {
    const { database, idempotency } = this.#deps;
    const { body, needsPrepare } = this.#operation;
    const input = buildInput(database);
    const early =
      body && isMultipart(body)
        ? undefined
        : await toIdempotentRequest(idempotency, input, target, encodeRawBody(input.body));
    const recalled = early && needsPrepare(input) ? await idempotency.recall(early) : null;
    if (recalled) return replay(input, recalled);
    let prepared: unknown;
    try {
      prepared = await this.#prepare(input);
    } catch (refusal) {
      // A concurrent request with the same idempotency key may have caused the failure. If that request has
      // succeeded, its response is replayed.
      const storedResponse = early && (await idempotency.recall(early));
      if (storedResponse) return replay(input, storedResponse);
      throw refusal;
    }
    await this.#requireRights(input, prepared);
    const request =
      early ??
      (isReceivedData(prepared)
        ? await toIdempotentRequest(idempotency, input, target, prepared.fingerprint)
        : undefined);
    let outcome: Outcome;
    let isHandled = false;
    // Does not wait for the claim of the idempotency key before sending the handler's statements: if the
    // claim fails, so does the whole transaction.
    let claimRejection: Promise<unknown> | undefined;
    try {
      outcome = await database.transaction(async (db) => {
        claimRejection = request && captureRejection(idempotency.claim(db, request));
        const first = await this.#runFirst(buildInput(db), prepared, request);
        await guesses?.check(db);
        isHandled = true;
        return first;
      });
    } catch (error) {
      const claimError = await claimRejection;
      const isClaimRefused = claimError instanceof AppError || claimError instanceof AlreadyResponded;
      // Keeps the received data, such as a file, if the transaction may have been committed, such as after a
      // lost connection.
      if (isReceivedData(prepared) && (!isHandled || isClaimRefused || isRolledBack(error)))
        await prepared.discard();
      if (!request || !(claimError instanceof AlreadyResponded)) throw claimError ?? error;
      return replay(input, await idempotency.recallAgain(request));
    } finally {
      if (isReleasable(prepared)) prepared.release();
    }
    return this.#completeResponse(input, outcome, request);
  }

  /**
   * Locks the caller's session during a write that grants lasting access. If the session ends at the same
   * time, for example by a new password, the write either completes first or fails.
   */
  async #lockSession({ ctx }: Input): Promise<void> {
    const { userId, sessionId, db } = ctx as UserContext;
    const { isWrite, freshProof } = this.#operation;
    if (!isWrite || freshProof === undefined || sessionId === null) return;
    await this.#deps.services.accounts.sessions.lock(db, userId, sessionId);
  }

  async #runFirst(input: Input, prepared: unknown, request: IdempotentRequest | undefined): Promise<Outcome> {
    const { idempotency } = this.#deps;
    const { db } = input.ctx;
    const owners = this.#listOwnersBefore(input);
    const handled = await this.#handle(input, prepared);
    const { response, result } = handled;
    const audited = this.#audit?.(input, result, input.records);
    if (audited) this.#deps.services.team.audit.record(db, audited.subjects, audited.write);
    await this.#mailOwners(input, result, await owners);
    const requestsToAnswer = request
      ? [request, ...(await input.listPrincipalsIfEnded(db)).map(withPrincipal(request))]
      : [];
    if (request && isStream(response)) await idempotency.storeKeyOnly(db, request);
    else if (!isReply(response))
      for (const each of requestsToAnswer)
        await idempotency.storeResponse(db, each, response, {
          isFinal: !this.#operation.settle,
          orgId: this.#findContentOrgId(input),
        });
    return { ...handled, requestsToAnswer };
  }

  /** Queries the workspace's owners before the handler runs, since the handler may remove an owner. */
  #listOwnersBefore({ ctx }: Input): Promise<NoticeReader[]> | undefined {
    const { orgId, db } = ctx as UserContext;
    const { exposes, notifies } = this.#operation;
    if (exposes !== 'access' || notifies === undefined || orgId === null) return undefined;
    const owners = this.#deps.services.team.accessNotices.listOwners({ orgId, db });
    // Prevents an unhandled rejection of the query for the owners. If the handler fails as well, the
    // handler's error is reported.
    owners.catch(() => undefined);
    return owners;
  }

  /** Emails the workspace's owners about granted access and exported content. */
  async #mailOwners(input: Input, result: unknown, owners: NoticeReader[] | undefined): Promise<void> {
    const { id: kind, notifies } = this.#operation;
    const notice = typeof notifies === 'function' ? notifies({ ...input, result }) : input.records.notice;
    if (!notice) return;
    const { userId, keyId, orgId, db } = input.ctx as UserContext;
    const actor = { userId, keyId, device: describeDevice(input.ctx, input.headers) };
    await this.#deps.services.team.accessNotices.notify(db, orgId, { actor, kind, notice, owners });
  }

  /**
   * Completes a response after the commit. Waits for `settle` or the end of a stream, then stores the final
   * response for repeated requests.
   */
  async #completeResponse(
    input: Input,
    { response, result, requestsToAnswer }: Outcome,
    request: IdempotentRequest | undefined,
  ): Promise<OperationResponse> {
    const { success, settle } = this.#operation;
    const { database, idempotency } = this.#deps;
    const storeFinal = async (final: JsonResponse) => {
      if (requestsToAnswer.length === 0) return;
      const options = { isFinal: true, orgId: this.#findContentOrgId(input) };
      await database.transaction(async (db) => {
        for (const each of requestsToAnswer) await idempotency.storeResponse(db, each, final, options);
      });
    };
    if (request && isStream(response)) {
      return captureLastEvent(response, (last) =>
        last
          ? storeFinal({ status: success.status, body: JSON.stringify(last) })
          : idempotency.release(database, request),
      );
    }
    if (!settle) return response;
    const settled = await this.#render(await settle({ ...input, result }, this.#deps.services), input);
    if (!isReply(settled)) await storeFinal(settled);
    return settled;
  }

  /**
   * Returns the workspace whose content the response may contain; null if the response contains no content.
   */
  #findContentOrgId({ ctx }: Input): string | null {
    return (this.#operation.readsContent && toCaller(ctx).orgId) || null;
  }

  async #prepare(input: Input): Promise<unknown> {
    const { prepare, needsPrepare } = this.#operation;
    return needsPrepare(input) ? prepare?.(input, this.#deps.services) : undefined;
  }

  async #prepareEntitled(input: Input): Promise<unknown> {
    const prepared = await this.#prepare(input);
    await this.#requireRights(input, prepared);
    return prepared;
  }

  /**
   * Checks the caller's rights after `prepare`. The caller may have lost them while a file arrived or another
   * server responded. If so, discards the result of `prepare`.
   */
  async #requireRights(input: Input, prepared: unknown): Promise<void> {
    const { prepare, needsPrepare } = this.#operation;
    if (!prepare || !needsPrepare(input)) return;
    try {
      await input.requireRights();
    } catch (error) {
      if (isReceivedData(prepared)) await prepared.discard();
      if (isReleasable(prepared)) prepared.release();
      throw error;
    }
  }

  async #handle(input: Input, prepared: unknown): Promise<HandlerOutcome> {
    await this.#lockSession(input);
    await this.#precondition?.(input);
    const result = await this.#operation.handle({ ...input, prepared }, this.#deps.services);
    return { result, response: await this.#render(result, input) };
  }

  #render(result: unknown, { ctx }: Input): OperationResponse | Promise<OperationResponse> {
    return this.#responder.render(result, ctx.version);
  }
}

/** Returns the error with which a promise rejects; undefined if the promise resolves. */
function captureRejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/**
 * Encodes a raw request body for the fingerprint of the request, since JSON would render bytes as a list of
 * numbers.
 */
function encodeRawBody(body: unknown): unknown {
  return Buffer.isBuffer(body) ? body.toString('base64') : body;
}

function replay(input: Input, response: JsonResponse): OperationResponse {
  input.markReplay();
  return input.accepts === EVENT_STREAM ? replayAsStream(response) : response;
}

function withPrincipal(request: IdempotentRequest) {
  return (principal: string): IdempotentRequest => ({ ...request, principal });
}

/**
 * Returns the request with its caller's identity and its fingerprint; undefined without an idempotency key.
 * @param body the part of the body that the fingerprint includes
 */
async function toIdempotentRequest(
  idempotency: IdempotencyGuard,
  { ctx, query, accepts, headers, idempotencyKey: key }: Input,
  target: Target,
  body: unknown,
): Promise<IdempotentRequest | undefined> {
  if (key === undefined) return undefined;
  const caller = toCaller(ctx);
  // Public operations know only the caller's IP address, so that the credential distinguishes callers who
  // share an address.
  const credentialPart = caller.principal.type === 'address' ? [headers.authorization ?? null] : [];
  const parts = [
    ...requestParts({ ...target, query, version: ctx.version, accepts, body }),
    ...credentialPart,
  ];
  return idempotency.identifyRequest(idempotentPrincipal(caller), key, parts);
}

/** Returns the parts of a request that must be equal when the request is repeated. */
export function requestParts(request: {
  method: string;
  path: string;
  query: unknown;
  version: string;
  accepts: string;
  body: unknown;
}): unknown[] {
  const { method, path, query, version, accepts, body } = request;
  return [method, path, query, version, accepts, body ?? null];
}

/**
 * Returns the identity of the caller to which an idempotency key belongs. A person's keys are separate in
 * each workspace.
 */
function idempotentPrincipal({ principal: { type, id }, orgId = '' }: Caller): string {
  return type === 'user' ? `user:${orgId}:${id}` : `${type}:${id}`;
}

import { AppError } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import { isRolledBack } from '../../database/transaction.ts';
import type { NoticeReader } from '../../repositories/mail/notice.sql.ts';
import { compileAudit, type Audit, type Noted } from './access/audit.ts';
import { describeDevice } from './access/device.ts';
import { isStream, captureLastEvent, replayAsStream } from './response/response-streams.ts';
import { EVENT_STREAM } from './response/event-stream.ts';
import type { GuessLimit } from './limits/guess-limit.ts';
import { AlreadyResponded, type IdempotencyGuard, type JsonResponse } from './idempotency.ts';
import {
  isReleasable,
  isMultipart,
  isReceived,
  type HandlerInput,
  type Operation,
  type Reply,
} from './operation.ts';
import { toCaller, type AuthKind, type Caller, type UserContext } from './access/principal.ts';
import { isReply, type Responder } from './response/respond.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { IdempotentRequest } from '../../repositories/requests/idempotency.sql.ts';

/** Data of a request for the engine, in addition to the handler's. */
interface EngineInput extends HandlerInput<AuthKind, unknown, unknown, unknown> {
  noted: Noted;
  /** Additional names to store the response under, if the transaction has taken the caller's access. */
  namesIfEnded(db: Database): Promise<string[]>;
}

type Input = EngineInput;
type InputFor = (db: Database) => Input;
type OperationResponse = JsonResponse | Reply;
type Execution = (inputFor: InputFor, target: Target, guesses?: GuessLimit) => Promise<OperationResponse>;

interface Target {
  method: string;
  path: string;
}

interface Handled {
  response: OperationResponse;
  /** The handler's result before rendering. */
  result: unknown;
}

interface Outcome extends Handled {
  /** Requests to store the response for: the request under each of its names. */
  kept: IdempotentRequest[];
}

/** Executes valid requests of an operation: a write in one transaction and, if named, only once. */
export function compileExecution(operation: Operation, responder: Responder, deps: EngineDeps): Execution {
  const execution = new OperationExecution(operation, responder, deps);
  if (!operation.isWrite) return (inputFor) => execution.runRead(inputFor);
  if (operation.transaction === 'manual')
    return (inputFor, target) => execution.runReserved(inputFor(deps.database), target);
  if (operation.transaction === 'statement')
    return (inputFor, target) => execution.runStatement(inputFor, target);
  return (inputFor, target, guesses) => execution.runOnce(inputFor, target, guesses);
}

class OperationExecution {
  readonly #operation: Operation;
  readonly #responder: Responder;
  readonly #deps: EngineDeps;
  readonly #audit: Audit | undefined;

  constructor(operation: Operation, responder: Responder, deps: EngineDeps) {
    this.#operation = operation;
    this.#responder = responder;
    this.#deps = deps;
    this.#audit = compileAudit(operation);
  }

  async run(input: Input): Promise<OperationResponse> {
    return (await this.#handle(input, await this.#prepare(input))).response;
  }

  /** Owners are mailed before any content is sent. */
  async runRead(inputFor: InputFor): Promise<OperationResponse> {
    const { database } = this.#deps;
    const input = inputFor(database);
    if (this.#operation.notifies === undefined || input.isHead) return this.run(input);
    const { response, result } = await this.#handle(input, await this.#prepare(input));
    await database.transaction((db) => this.#notify(inputFor(db), result, undefined));
    return response;
  }

  /** Runs handlers that detect repeats themselves: the key only ensures that repeats are identical. */
  async runReserved(input: Input, target: Target): Promise<OperationResponse> {
    const { database, idempotency } = this.#deps;
    const request = await toIdempotentRequest(idempotency, input, target, input.body);
    return request ? idempotency.reserving(database, request, () => this.run(input)) : this.run(input);
  }

  /** A statement without a request name may be batched with others, unlike those of a transaction. */
  runStatement(inputFor: InputFor, target: Target): Promise<OperationResponse> {
    const input = inputFor(this.#deps.database);
    return input.idempotencyKey === undefined ? this.run(input) : this.runOnce(inputFor, target);
  }

  async runOnce(inputFor: InputFor, target: Target, guesses?: GuessLimit): Promise<OperationResponse> {
    const { database, idempotency } = this.#deps;
    const { body, isPreparing } = this.#operation;
    const input = inputFor(database);
    const early =
      body && isMultipart(body)
        ? undefined
        : await toIdempotentRequest(idempotency, input, target, sentBody(input.body));
    const recalled = early && isPreparing(input) ? await idempotency.recall(early) : null;
    if (recalled) return replay(input, recalled);
    let prepared: unknown;
    try {
      prepared = await this.#prepare(input);
    } catch (refusal) {
      // The failure may result from a concurrent run of the same request.
      const done = early && (await idempotency.recall(early));
      if (done) return replay(input, done);
      throw refusal;
    }
    const request =
      early ??
      (isReceived(prepared)
        ? await toIdempotentRequest(idempotency, input, target, prepared.fingerprint)
        : undefined);
    let outcome: Outcome;
    let isHandled = false;
    // Sends the handler's statements after the claim without waiting for it: they do nothing if it fails.
    let refusal: Promise<unknown> | undefined;
    try {
      outcome = await database.transaction(async (db) => {
        refusal = request && captureRejection(idempotency.claim(db, request));
        const first = await this.#first(inputFor(db), prepared, request);
        await guesses?.check(db);
        isHandled = true;
        return first;
      });
    } catch (error) {
      const refused = await refusal;
      const isRefused = refused instanceof AppError || refused instanceof AlreadyResponded;
      // The transaction may have been committed even if its connection was lost.
      if (isReceived(prepared) && (!isHandled || isRefused || isRolledBack(error))) await prepared.discard();
      if (!request || !(refused instanceof AlreadyResponded)) throw refused ?? error;
      return replay(input, await idempotency.recallAgain(request));
    } finally {
      if (isReleasable(prepared)) prepared.release();
    }
    return this.#settle(input, outcome, request);
  }

  /** Locks the session: grants of lasting access finish before it ends (for example by a new password), or fail. */
  async #lockSession({ ctx }: Input): Promise<void> {
    const { userId, sessionId, db } = ctx as UserContext;
    const { isWrite, freshProof } = this.#operation;
    if (!isWrite || freshProof === undefined || sessionId === null) return;
    await this.#deps.services.accounts.sessions.lock(db, userId, sessionId);
  }

  async #first(input: Input, prepared: unknown, request: IdempotentRequest | undefined): Promise<Outcome> {
    const { idempotency } = this.#deps;
    const { db } = input.ctx;
    const owners = this.#ownersBefore(input);
    const handled = await this.#handle(input, prepared);
    const { response, result } = handled;
    const audited = this.#audit?.(input, result, input.noted);
    if (audited) this.#deps.services.team.audit.record(db, audited.subjects, audited.write);
    await this.#notify(input, result, await owners);
    const kept = request ? [request, ...(await input.namesIfEnded(db)).map(withPrincipal(request))] : [];
    if (request && isStream(response)) await idempotency.hold(db, request);
    else if (!isReply(response))
      for (const each of kept)
        await idempotency.keep(db, each, response, {
          isFinal: !this.#operation.settle,
          orgId: this.#shownOrg(input),
        });
    return { ...handled, kept };
  }

  /** Queried before the handler's statements, which may remove an owner. */
  #ownersBefore({ ctx }: Input): Promise<NoticeReader[]> | undefined {
    const { orgId, db } = ctx as UserContext;
    const { exposes, notifies } = this.#operation;
    if (exposes !== 'access' || notifies === undefined || orgId === null) return undefined;
    const owners = this.#deps.services.team.accessNotices.listOwners({ orgId, db });
    // Reports the handler's refusal rather than this one.
    owners.catch(() => undefined);
    return owners;
  }

  /** Mails owners about lasting access and content exports. */
  async #notify(input: Input, result: unknown, owners: NoticeReader[] | undefined): Promise<void> {
    const { id: kind, notifies } = this.#operation;
    const notice = typeof notifies === 'function' ? notifies({ ...input, result }) : input.noted.notice;
    if (!notice) return;
    const { userId, keyId, orgId, db } = input.ctx as UserContext;
    const actor = { userId, keyId, device: describeDevice(input.ctx, input.headers) };
    await this.#deps.services.team.accessNotices.notify(db, orgId, { actor, kind, notice, owners });
  }

  /** Completes work that ends after the commit: a waiting response, or a stream. */
  async #settle(
    input: Input,
    { response, result, kept }: Outcome,
    request: IdempotentRequest | undefined,
  ): Promise<OperationResponse> {
    const { success, settle } = this.#operation;
    const { database, idempotency } = this.#deps;
    const keep = async (final: JsonResponse) => {
      if (kept.length === 0) return;
      const shown = { isFinal: true, orgId: this.#shownOrg(input) };
      await database.transaction(async (db) => {
        for (const each of kept) await idempotency.keep(db, each, final, shown);
      });
    };
    if (request && isStream(response)) {
      return captureLastEvent(response, (last) =>
        last
          ? keep({ status: success.status, body: JSON.stringify(last) })
          : idempotency.release(database, request),
      );
    }
    if (!settle) return response;
    const settled = await this.#render(await settle({ ...input, result }, this.#deps.services), input);
    if (!isReply(settled)) await keep(settled);
    return settled;
  }

  /** The workspace whose content the response may show. */
  #shownOrg({ ctx }: Input): string | null {
    return (this.#operation.readsContent && toCaller(ctx).orgId) || null;
  }

  async #prepare(input: Input): Promise<unknown> {
    const { prepare, isPreparing } = this.#operation;
    return isPreparing(input) ? prepare?.(input, this.#deps.services) : undefined;
  }

  async #handle(input: Input, prepared: unknown): Promise<Handled> {
    await this.#lockSession(input);
    const result = await this.#operation.handle({ ...input, prepared }, this.#deps.services);
    return { result, response: await this.#render(result, input) };
  }

  #render(result: unknown, { ctx }: Input): OperationResponse | Promise<OperationResponse> {
    return this.#responder.render(result, ctx.version);
  }
}

/** Returns a promise's rejection, or undefined. */
function captureRejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** Converts bytes, which would be arrays of numbers in JSON. */
function sentBody(body: unknown): unknown {
  return Buffer.isBuffer(body) ? body.toString('base64') : body;
}

function replay(input: Input, response: JsonResponse): OperationResponse {
  input.markReplay();
  return input.accepts === EVENT_STREAM ? replayAsStream(response) : response;
}

function withPrincipal(request: IdempotentRequest) {
  return (principal: string): IdempotentRequest => ({ ...request, principal });
}

/** @param body part of the body for the fingerprint */
async function toIdempotentRequest(
  idempotency: IdempotencyGuard,
  { ctx, query, accepts, headers, idempotencyKey: key }: Input,
  target: Target,
  body: unknown,
): Promise<IdempotentRequest | undefined> {
  if (key === undefined) return undefined;
  const caller = toCaller(ctx);
  // Callers with one address are distinguished by their credentials on public operations.
  const shown = caller.principal.type === 'address' ? [headers.authorization ?? null] : [];
  const parts = [...requestParts({ ...target, query, version: ctx.version, accepts, body }), ...shown];
  return idempotency.nameRequest(idempotentPrincipal(caller), key, parts);
}

/** Parts that distinguish a request from the caller's others. */
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

/** A person's names for requests are the person's own in each workspace. */
function idempotentPrincipal({ principal: { type, id }, orgId = '' }: Caller): string {
  return type === 'user' ? `user:${orgId}:${id}` : `${type}:${id}`;
}

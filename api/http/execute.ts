import type { Database } from '../../entities/database.ts';
import type { IdempotentRequest } from '../../repositories/idempotency.repository.ts';
import { fingerprintOf, type JsonAnswer } from './idempotency.ts';
import { isMultipart, isReceived, type HandlerInput, type Operation, type Reply } from './operation.ts';
import type { EngineDeps } from './pipeline.ts';
import { callerOf, type AuthKind } from './principal.ts';
import { isReply, type Responder } from './respond.ts';

type Input = HandlerInput<AuthKind, unknown, unknown, unknown>;
type InputFor = (db: Database) => Input;
type Answer = JsonAnswer | Reply;
type Execution = (inputFor: InputFor, target: { method: string; path: string }) => Promise<Answer>;

interface Outcome {
  answer: Answer;
  isNew: boolean;
}

/** How an operation runs once its request is known to be valid: a write in one transaction and, if named, only once. */
export function compileExecution(operation: Operation, { render }: Responder, deps: EngineDeps): Execution {
  const { database, services, idempotency } = deps;
  const handle = async (input: Input, prepared: unknown): Promise<Answer> =>
    render(await operation.handle({ ...input, prepared }, services), input.ctx.version);
  if (!operation.isWrite || operation.transaction === 'manual') {
    return async (inputFor) =>
      handle(inputFor(database), await operation.prepare?.(inputFor(database), services));
  }
  return async (inputFor, target) => {
    const input = inputFor(database);
    const early =
      operation.body && isMultipart(operation.body) ? undefined : named(input, target, input.body);
    const recalled = early && operation.prepare ? await idempotency.recall(database, early) : null;
    if (recalled) return replay(input, recalled);
    const prepared = await operation.prepare?.(input, services);
    const request = early ?? (isReceived(prepared) ? named(input, target, prepared.fingerprint) : undefined);
    const once = async (db: Database): Promise<Outcome> => {
      const first = request && (await idempotency.claim(db, request));
      if (first) return { answer: replay(input, first), isNew: false };
      const answer = await handle(inputFor(db), prepared);
      if (request && !isReply(answer)) idempotency.keep(db, request, answer);
      return { answer, isNew: true };
    };
    let outcome: Outcome | undefined;
    try {
      outcome = await database.transaction(once);
      return outcome.answer;
    } finally {
      if (!outcome?.isNew && isReceived(prepared)) await prepared.discard();
    }
  };
}

function replay(input: Input, answer: JsonAnswer): JsonAnswer {
  input.markReplay();
  return answer;
}

/** @param body what the fingerprint holds of the body */
function named(
  { ctx, query, idempotencyKey: key }: Input,
  { method, path }: { method: string; path: string },
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const { type, id } = callerOf(ctx).principal;
  return {
    principal: `${type}:${id}`,
    key,
    fingerprint: fingerprintOf([method, path, query, ctx.version, body ?? null]),
  };
}

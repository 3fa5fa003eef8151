import type { Database } from '../../entities/database.ts';
import type { IdempotentRequest } from '../../repositories/idempotency.repository.ts';
import { fingerprintOf, type JsonAnswer } from './idempotency.ts';
import {
  isMultipart,
  isReceived,
  replyWith,
  type HandlerInput,
  type Operation,
  type Reply,
  type ServerSentEvent,
} from './operation.ts';
import type { EngineDeps } from './pipeline.ts';
import { callerOf, type AuthKind } from './principal.ts';
import { isReply, type Responder } from './respond.ts';

type Input = HandlerInput<AuthKind, unknown, unknown, unknown>;
type InputFor = (db: Database) => Input;
type Answer = JsonAnswer | Reply;
type Execution = (inputFor: InputFor, target: { method: string; path: string }) => Promise<Answer>;

type StreamReply = Extract<Reply, { kind: 'stream' }>;

const EVENT_STREAM = 'text/event-stream';

interface Outcome {
  answer: Answer;
  isNew: boolean;
}

/** How an operation runs once its request is known to be valid: a write in one transaction and, if named, only once. */
export function compileExecution(operation: Operation, { render }: Responder, deps: EngineDeps): Execution {
  const { database, services, idempotency } = deps;
  const handle = async (input: Input, prepared: unknown): Promise<Answer> =>
    render(await operation.handle({ ...input, prepared }, services), input.ctx.version);
  const run = async (input: Input): Promise<Answer> =>
    handle(input, await operation.prepare?.(input, services));
  if (!operation.isWrite) return (inputFor) => run(inputFor(database));
  if (operation.transaction === 'manual') {
    return async (inputFor, target) => {
      const input = inputFor(database);
      const request = named(input, target, input.body);
      return request ? idempotency.reserving(database, request, () => run(input)) : run(input);
    };
  }
  const keepLast = (request: IdempotentRequest) => (last: ServerSentEvent) =>
    database.transaction(async (db) =>
      idempotency.keep(db, request, { status: operation.success.status, body: JSON.stringify(last) }),
    );
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
      if (!request) return { answer, isNew: true };
      if (!isReply(answer)) idempotency.keep(db, request, answer);
      return { answer: isStream(answer) ? onceSent(answer, keepLast(request)) : answer, isNew: true };
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

function replay(input: Input, answer: JsonAnswer): Answer {
  input.markReplay();
  if (input.accepts !== EVENT_STREAM) return answer;
  return replyWith.stream(only(JSON.parse(answer.body) as ServerSentEvent));
}

async function* only(event: ServerSentEvent): AsyncGenerator<ServerSentEvent> {
  yield event;
}

/** A stream's last event says the whole; `keep` gets it when the stream has been read to its end. */
function onceSent({ events }: StreamReply, keep: (last: ServerSentEvent) => Promise<void>): Reply {
  async function* kept(): AsyncGenerator<ServerSentEvent> {
    let last: ServerSentEvent | undefined;
    for await (const event of events) {
      yield event;
      last = event;
    }
    if (last) await keep(last);
  }
  return replyWith.stream(kept());
}

function isStream(answer: Answer): answer is StreamReply {
  return isReply(answer) && answer.kind === 'stream';
}

/** @param body what the fingerprint holds of the body */
function named(
  { ctx, query, accepts, idempotencyKey: key }: Input,
  { method, path }: { method: string; path: string },
  body: unknown,
): IdempotentRequest | undefined {
  if (key === undefined) return undefined;
  const { type, id } = callerOf(ctx).principal;
  return {
    principal: `${type}:${id}`,
    key,
    fingerprint: fingerprintOf([method, path, query, ctx.version, accepts, body ?? null]),
  };
}

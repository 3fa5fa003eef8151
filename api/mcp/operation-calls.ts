import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import inject from 'light-my-request';
import type { Excerpt } from '../../services/conversations/conversation-service.ts';
import { askForExcerpts } from '../http/excerpts.ts';
import type { DefinedOperation, Method, ResponseSpec } from '../http/operation.ts';
import type { Problem } from '../http/problems/problem.ts';

type AnyOperation = DefinedOperation<Method, string, Record<number, ResponseSpec>>;
type ResultOf<O extends AnyOperation> = NonNullable<O['_body']>;

export interface OperationInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: object;
  /** Makes a repeat have no further effect. */
  idempotencyKey?: string;
  /** Length of messages that the tool shows; by default all. */
  excerpt?: Excerpt;
}

interface Responded<T> {
  body: T;
  /** Whether it is the response to an earlier identical request. */
  isReplay: boolean;
}

/** Number of retries of the same request while the first one runs. */
const MAX_TRIES = 5;

/** An operation's refusal, with its public message. */
export class OperationRefused extends Error {
  readonly problem: Problem;
  /** Seconds after which a retry may succeed; null if none can. */
  readonly retryAfter: number | null;

  constructor(operationId: string, problem: Problem, retryAfter: number | null) {
    super(`${operationId}: ${problem.error.message}`);
    this.name = 'OperationRefused';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Headers that identify the caller and its address. */
const CALLER_HEADERS = ['authorization', 'x-forwarded-for', 'user-agent', 'traceparent', 'host'] as const;

/**
 * Runs operations within this process as the caller of a request: with its rights, limits, audit, log and metrics.
 * `introduce` sets the known caller; `version` is the one for which the tools are written.
 */
export class OperationCalls {
  readonly #handle: (request: IncomingMessage, response: ServerResponse, excerpt?: Excerpt) => void;
  readonly #caller: { headers: Record<string, string>; remoteAddress: string };

  constructor(
    handle: RequestListener,
    { headers, socket }: IncomingMessage,
    { introduce, version }: { introduce: (request: IncomingMessage) => void; version: string },
  ) {
    this.#handle = (request, response, excerpt) => {
      const distinct = Object.entries(request.headers).map(([name, value]) => [name, [value].flat()]);
      // Completes the synthetic request, as if all of it had arrived.
      Object.defineProperties(request, {
        headersDistinct: { value: Object.fromEntries(distinct) },
        complete: { value: true },
      });
      introduce(request);
      if (excerpt) askForExcerpts(request, excerpt);
      handle(request, response);
    };
    const known = CALLER_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const own = { ...Object.fromEntries(known), 'x-api-version': version };
    this.#caller = { headers: own, remoteAddress: socket.remoteAddress ?? '127.0.0.1' };
  }

  /** @throws OperationRefused */
  async run<O extends AnyOperation>(operation: O, input: OperationInput = {}): Promise<ResultOf<O>> {
    return (await this.#send(operation, input)).body;
  }

  /**
   * Runs a write by its key, and waits for the same write if it is running.
   * @throws OperationRefused
   */
  async runOnce<O extends AnyOperation>(
    operation: O,
    input: OperationInput & { idempotencyKey: string },
  ): Promise<Responded<ResultOf<O>>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#send(operation, input);
      } catch (error) {
        if (!isRunningJustNow(error) || tries === MAX_TRIES) throw error;
        await sleep((error.retryAfter ?? 1) * 1000);
      }
    }
  }

  async #send<O extends AnyOperation>(operation: O, input: OperationInput): Promise<Responded<ResultOf<O>>> {
    const { params = {}, query = {}, body, idempotencyKey, excerpt } = input;
    const { headers, remoteAddress } = this.#caller;
    const response = await inject((request, reply) => this.#handle(request, reply, excerpt), {
      method: operation.method,
      url: buildTarget(operation.path, params, query),
      remoteAddress,
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body && { payload: JSON.stringify(body) }),
    });
    if (response.statusCode < 300)
      return {
        body: response.json<ResultOf<O>>(),
        isReplay: response.headers['idempotent-replay'] === 'true',
      };
    const retryAfter = Number(response.headers['retry-after']);
    throw new OperationRefused(
      operation.id,
      response.json<Problem>(),
      Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    );
  }
}

function isRunningJustNow(error: unknown): error is OperationRefused {
  return error instanceof OperationRefused && error.problem.error.code === 'idempotency_in_progress';
}

function buildTarget(
  path: string,
  params: NonNullable<OperationInput['params']>,
  query: NonNullable<OperationInput['query']>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? filled : `${filled}?${new URLSearchParams(given).toString()}`;
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import inject from 'light-my-request';
import type { ExcerptLimits } from '../../services/conversations/conversation-service.ts';
import { requestExcerpts } from '../http/excerpt-requests.ts';
import type { DefinedOperation, Method, ResponseSpec } from '../http/operation.ts';
import type { Problem } from '../http/problems/problem.ts';

type AnyOperation = DefinedOperation<Method, string, Record<number, ResponseSpec>>;
type ResultOf<O extends AnyOperation> = NonNullable<O['_body']>;

export interface OperationInput {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: object;
  /** Key under which repeated calls of a write take effect only once. */
  idempotencyKey?: string;
  /** Maximum length of each message in a response; by default, the response contains whole messages. */
  excerpt?: ExcerptLimits;
}

interface CallResponse<T> {
  body: T;
  /** Whether the API returned the stored response of an earlier call with the same idempotency key. */
  isReplay: boolean;
}

/** Maximum attempts of a call while an earlier call with the same idempotency key is still running. */
const MAX_TRIES = 5;

/** The error of an API operation that refused a call, with its public message. */
export class OperationRefused extends Error {
  readonly problem: Problem;
  /** Seconds until a retry may succeed; null if a retry cannot help. */
  readonly retryAfter: number | null;

  constructor(operationId: string, problem: Problem, retryAfter: number | null) {
    super(`${operationId}: ${problem.error.message}`);
    this.name = 'OperationRefused';
    this.problem = problem;
    this.retryAfter = retryAfter;
  }
}

/** Request headers that are copied to the internal request: these identify the caller and its IP address. */
const CALLER_HEADERS = ['authorization', 'x-forwarded-for', 'user-agent', 'traceparent', 'host'] as const;

/**
 * Runs API operations within this process on behalf of the caller of an HTTP request. The caller's rights and
 * limits apply, and the calls appear in audit, log and metrics. `attachCaller` attaches the authenticated caller
 * to a request; `version` is the API version of the calls.
 */
export class OperationCalls {
  readonly #handle: (request: IncomingMessage, response: ServerResponse, excerpt?: ExcerptLimits) => void;
  readonly #caller: { headers: Record<string, string>; remoteAddress: string };

  constructor(
    handle: RequestListener,
    { headers, socket }: IncomingMessage,
    { attachCaller, version }: { attachCaller: (request: IncomingMessage) => void; version: string },
  ) {
    this.#handle = (request, response, excerpt) => {
      const distinct = Object.entries(request.headers).map(([name, value]) => [name, [value].flat()]);
      // Marks the internal request as completely received.
      Object.defineProperties(request, {
        headersDistinct: { value: Object.fromEntries(distinct) },
        complete: { value: true },
      });
      attachCaller(request);
      if (excerpt) requestExcerpts(request, excerpt);
      handle(request, response);
    };
    const callerHeaders = CALLER_HEADERS.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const requestHeaders = { ...Object.fromEntries(callerHeaders), 'x-api-version': version };
    this.#caller = { headers: requestHeaders, remoteAddress: socket.remoteAddress ?? '127.0.0.1' };
  }

  /**
   * Runs an operation and returns its response body.
   * @throws OperationRefused
   */
  async run<O extends AnyOperation>(operation: O, input: OperationInput = {}): Promise<ResultOf<O>> {
    return (await this.#runOperation(operation, input)).body;
  }

  /**
   * Runs a write under its idempotency key. If the same write is already running, waits for that write and
   * returns its response.
   * @throws OperationRefused
   */
  async runOnce<O extends AnyOperation>(
    operation: O,
    input: OperationInput & { idempotencyKey: string },
  ): Promise<CallResponse<ResultOf<O>>> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#runOperation(operation, input);
      } catch (error) {
        if (!isStillRunning(error) || tries === MAX_TRIES) throw error;
        await sleep((error.retryAfter ?? 1) * 1000);
      }
    }
  }

  async #runOperation<O extends AnyOperation>(
    operation: O,
    input: OperationInput,
  ): Promise<CallResponse<ResultOf<O>>> {
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

function isStillRunning(error: unknown): error is OperationRefused {
  return error instanceof OperationRefused && error.problem.error.code === 'idempotency_in_progress';
}

function buildTarget(
  path: string,
  params: NonNullable<OperationInput['params']>,
  query: NonNullable<OperationInput['query']>,
): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return parameters.length === 0 ? filled : `${filled}?${new URLSearchParams(parameters).toString()}`;
}

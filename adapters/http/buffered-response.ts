import { Readable } from 'node:stream';
import type { Agent, Dispatcher } from 'undici';
import { createCancelledFailure, listenForAbort, createTimeoutFailure } from './deadline.ts';
import { decodeBody, readAtMost, stopAtUndecodable } from './decode-body.ts';
import type { OutboundError } from './outbound-error.ts';
import { isFromUsedConnection } from './used-connections.ts';
import { ChunkCount, createTinyChunksError } from './tiny-chunks.ts';

export interface BufferedResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  /** True if the server's response was longer than `body`. */
  truncated: boolean;
}

export interface BufferOptions {
  maxBytes: number;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  /**
   * True if the receiver recognizes a repeated request. The client then repeats the request if the receiver
   * closes a reused connection.
   */
  isRepeatable?: boolean;
}

/**
 * Maximum number of compressed bytes of a response, as a multiple of the limit for decompressed bytes. Few
 * texts grow by compression.
 */
const COMPRESSED_SHARE = 2;
/**
 * Maximum number of times that a request is repeated because the server has closed a reused connection. After
 * that, a new connection is opened.
 */
const MAX_REPETITIONS = 3;

/**
 * Sends an HTTP request and buffers the response up to a limit. Closes the connection of a longer response.
 * Costs half as much as `Agent.request`, which creates a stream.
 * @throws OutboundError `timeout` or `aborted`, and errors of undici
 */
export function bufferResponse(
  agent: Agent,
  request: Dispatcher.DispatchOptions,
  options: BufferOptions,
  repetitionsLeft = MAX_REPETITIONS,
): Promise<BufferedResponse> {
  return new Promise((resolve, reject) => {
    const resolveDecoded = (response: BufferedResponse) =>
      resolve(
        isEncoded(response.headers)
          ? decodeBuffered(response, options.maxBytes, String(request.origin))
          : response,
      );
    const startMs = performance.now();
    const rejectOrRepeat = (error: unknown) => {
      const timeoutMs = options.timeoutMs - (performance.now() - startMs);
      const isRepeated =
        options.isRepeatable &&
        repetitionsLeft > 0 &&
        timeoutMs > 0 &&
        !buffer.hasStarted &&
        isFromUsedConnection(error);
      if (!isRepeated) return reject(error);
      resolve(bufferResponse(agent, request, { ...options, timeoutMs }, repetitionsLeft - 1));
    };
    const buffer = new ResponseBuffer(options, resolveDecoded, rejectOrRepeat);
    agent.dispatch(request, buffer);
  });
}

class ResponseBuffer implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: BufferedResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #timer: NodeJS.Timeout;
  #forget: () => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  /**
   * Reason why reading stopped before the end of the server's response; undefined while reading continues.
   */
  #end: Error | undefined;
  #status = 0;
  #headers: BufferedResponse['headers'] = {};
  #remainingBytes = 0;
  readonly #chunks: Buffer[] = [];
  readonly #count = new ChunkCount();

  constructor(
    { maxBytes, timeoutMs, signal }: BufferOptions,
    resolve: (response: BufferedResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#rejectWith(createTimeoutFailure(timeoutMs)), timeoutMs);
    if (signal) this.#forget = listenForAbort(signal, () => this.#rejectWith(createCancelledFailure(signal)));
  }

  /** True if the server has begun to respond. */
  get hasStarted(): boolean {
    return this.#status !== 0;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#end) controller.abort(this.#end);
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: BufferedResponse['headers'],
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#remainingBytes = isEncoded(headers) ? this.#maxBytes * COMPRESSED_SHARE : this.#maxBytes;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#count.exceedsWith(chunk)) return this.#rejectWith(createTinyChunksError());
    this.#remainingBytes -= chunk.length;
    // Copy the chunk of the response, since a reference to one byte of it would keep the whole read buffer of
    // 64 KB in memory.
    this.#chunks.push(Buffer.from(chunk));
    if (this.#remainingBytes >= 0) return;
    this.#resolveResponse(true);
    this.#end = new Error('The rest of the response is not needed.');
    controller.abort(this.#end);
  }

  onResponseEnd(): void {
    this.#resolveResponse(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopTimer();
    this.#reject(this.#end ?? error);
  }

  #resolveResponse(isCut: boolean): void {
    this.#stopTimer();
    const bytes = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
    const body = isCut ? bytes.subarray(0, bytes.length + this.#remainingBytes) : bytes;
    this.#resolve({ status: this.#status, headers: this.#headers, body, truncated: isCut });
  }

  #rejectWith(reason: OutboundError): void {
    this.#end = reason;
    this.#stopTimer();
    this.#reject(reason);
    this.#controller?.abort(reason);
  }

  #stopTimer(): void {
    clearTimeout(this.#timer);
    this.#forget();
  }
}

function isEncoded(headers: BufferedResponse['headers']): boolean {
  return headers['content-encoding'] !== undefined;
}

async function decodeBuffered(
  response: BufferedResponse,
  maxBytes: number,
  host: string,
): Promise<BufferedResponse> {
  const encoding = String(response.headers['content-encoding']);
  const chunks = stopAtUndecodable(decodeBody(Readable.from([response.body]), encoding, host));
  const { body, truncated } = await readAtMost(chunks, maxBytes);
  return { ...response, body, truncated: truncated || response.truncated };
}

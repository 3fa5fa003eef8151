import { connect, constants } from 'node:http2';

export type WorkflowState = 'ok' | 'unavailable';

const TIMEOUT_MS = 1000;
/** Time in milliseconds for which the result of a check is cached. */
const CACHE_MS = 5000;
/** An empty gRPC message: the flag for uncompressed data, and length zero. */
const EMPTY_MESSAGE = Buffer.alloc(5);
const GRPC_OK = '0';
const DEFAULT_PORT = '7233';

/**
 * Checks whether Temporal is available, and caches the result. Implements just enough gRPC for one call.
 * Temporal's client would cost each API process 30 MB, and slow down all promises by the context that it
 * tracks.
 */
export class WorkflowProbe {
  readonly #address: string | undefined;
  #lastProbe: { at: number; state: Promise<WorkflowState> } | undefined;

  /** @param address address of a Temporal server; undefined counts as unavailable */
  constructor(address: string | undefined) {
    this.#address = address;
  }

  state(): Promise<WorkflowState> {
    const now = performance.now();
    if (!this.#lastProbe || now - this.#lastProbe.at > CACHE_MS)
      this.#lastProbe = { at: now, state: this.#requestState() };
    return this.#lastProbe.state;
  }

  async #requestState(): Promise<WorkflowState> {
    if (this.#address === undefined) return 'unavailable';
    const status = await requestSystemInfoStatus(this.#address).catch(() => undefined);
    return status === GRPC_OK ? 'ok' : 'unavailable';
  }
}

/**
 * Calls GetSystemInfo, which every Temporal server supports. Returns the gRPC status; undefined if no
 * response arrives in time.
 */
function requestSystemInfoStatus(address: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const session = connect(parseServerAddress(address));
    const resolveStatus = (status?: string) => {
      clearTimeout(timer);
      session.destroy();
      resolve(status);
    };
    const timer = setTimeout(resolveStatus, TIMEOUT_MS);
    session.on('error', () => resolveStatus());
    const call = session.request({
      [constants.HTTP2_HEADER_METHOD]: 'POST',
      [constants.HTTP2_HEADER_PATH]: '/temporal.api.workflowservice.v1.WorkflowService/GetSystemInfo',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const readGrpcStatus = (headers: Record<string, unknown>) => {
      const status = headers['grpc-status'];
      if (typeof status === 'string') resolveStatus(status);
    };
    // A gRPC call that fails immediately has its status in the headers, any other call in the trailers.
    call.on('response', readGrpcStatus).on('trailers', readGrpcStatus);
    call.on('error', () => resolveStatus()).on('close', () => resolveStatus());
    call.resume().end(EMPTY_MESSAGE);
  });
}

/**
 * Parses the address of a Temporal server.
 * @throws TypeError if the address is invalid
 */
function parseServerAddress(address: string): URL {
  const url = new URL(`http://${address}`);
  if (url.port === '') url.port = DEFAULT_PORT;
  return url;
}

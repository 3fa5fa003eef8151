import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';

/**
 * Minimum bytes of a response that counts against the memory limit. The rate limit permits too few smaller
 * responses to fill the memory before idle connections are closed.
 */
const MIN_COUNTED_BYTES = 256 * 1024;
const RETRY_AFTER_SECONDS = 5;

/** Limits the memory of long responses that clients have not read yet. */
export class UnreadResponses {
  readonly #settings: Pick<Settings, 'unreadBytesPerCaller' | 'unreadBytes'>;
  readonly #bytesByCaller = new Map<string, number>();
  /** Functions that stop counting a response against the memory limit, by connection. */
  readonly #unreadBySocket = new WeakMap<Socket, Set<() => void>>();
  #bytes = 0;

  constructor(settings: Pick<Settings, 'unreadBytesPerCaller' | 'unreadBytes'>) {
    this.#settings = settings;
  }

  /** Total bytes of all counted responses that clients have not read yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Counts a long response against the memory limit until it is sent or its connection closes. Always permits
   * a single response of any length.
   * @param caller key of the caller's rate limit
   * @throws AppError `rate_limited`
   */
  add(caller: string, bytes: number, response: ServerResponse): void {
    const { socket } = response.req;
    if (bytes < MIN_COUNTED_BYTES || response.closed || socket.destroyed) return;
    const { unreadBytesPerCaller, unreadBytes } = this.#settings;
    const callerBytes = this.#bytesByCaller.get(caller) ?? 0;
    if (callerBytes > 0 && callerBytes + bytes > unreadBytesPerCaller)
      throw tooMany('You have not read the long responses that you requested');
    if (this.#bytes > 0 && this.#bytes + bytes > unreadBytes)
      throw tooMany('Too many long responses are being read at the moment');
    this.#addBytes(caller, bytes);
    const unread = this.#unreadOn(socket);
    const releaseResponse = () => {
      if (unread.delete(releaseResponse)) this.#addBytes(caller, -bytes);
    };
    unread.add(releaseResponse);
    response.once('close', releaseResponse);
  }

  /**
   * Returns the functions that stop counting the responses of a connection against the memory limit. Calls
   * these functions when the connection closes, since a response that waits behind another response then
   * emits no `close`.
   */
  #unreadOn(socket: Socket): Set<() => void> {
    const known = this.#unreadBySocket.get(socket);
    if (known) return known;
    const unread = new Set<() => void>();
    this.#unreadBySocket.set(socket, unread);
    socket.once('close', () => {
      for (const release of unread) release();
    });
    return unread;
  }

  #addBytes(caller: string, bytes: number): void {
    this.#bytes += bytes;
    const callerBytes = (this.#bytesByCaller.get(caller) ?? 0) + bytes;
    if (callerBytes === 0) this.#bytesByCaller.delete(caller);
    else this.#bytesByCaller.set(caller, callerBytes);
  }
}

function tooMany(reason: string): AppError {
  return new AppError('rate_limited', `${reason}; read or close them, or wait ${RETRY_AFTER_SECONDS} s.`, {
    headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    subject: 'limit unread responses',
  });
}

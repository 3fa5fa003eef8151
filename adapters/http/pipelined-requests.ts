import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { yieldToEventLoop } from '../../core/concurrency/loop-slices.ts';

/**
 * Maximum number of HTTP requests on a client's connection that wait for earlier responses. Browsers and most
 * HTTP clients never send a request before the previous response.
 */
const MAX_WAITING_REQUESTS = 16;

/** A client's connection with Node's HTTP parser, which stops if `onIncoming` returns `STOP_PARSING`. */
type Connection = Socket & { parser?: { onIncoming: () => number } | null };
const STOP_PARSING = 2;

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Handles the HTTP requests of a connection one after another, if the client sends several without waiting
 * (pipelining). Node alone would emit all these requests at once. Closes connections on which too many
 * requests wait.
 */
export function handleInTurn(handle: RequestHandler): RequestHandler {
  const waiting = new WeakMap<Socket, number>();

  const startInTurn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { socket } = request;
    waiting.set(socket, waiting.get(socket)! - 1);
    await yieldToEventLoop();
    if (socket.writable) handle(request, response);
  };

  return (request, response) => {
    // A response that has no connection yet waits: Node assigns the connection once the previous response is
    // finished.
    if (response.socket) {
      handle(request, response);
      return;
    }
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (waiting.get(socket) ?? 0) + 1;
    if (count > MAX_WAITING_REQUESTS) {
      destroyUnread(socket);
      return;
    }
    waiting.set(socket, count);
    response.once('socket', () => void startInTurn(request, response));
  };
}

/**
 * Destroys a client's connection and stops its HTTP parser, which would otherwise process received data for
 * tens of milliseconds.
 */
function destroyUnread(connection: Connection): void {
  if (connection.parser) connection.parser.onIncoming = () => STOP_PARSING;
  connection.destroy();
}

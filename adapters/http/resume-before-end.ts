import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The package declares no types of this module. */
const { kParser } = createRequire(import.meta.url)('undici/lib/core/symbols.js') as { kParser: symbol };

/** As far as it matters here, undici's parser of responses, which it keeps on the socket. */
interface ResponseParser {
  paused: boolean;
  /** Null once it is destroyed. */
  ptr: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  /** Reads on; nothing on a socket that is destroyed. */
  resume(): void;
}

type ParsedSocket = Record<symbol, ResponseParser | null | undefined>;

/**
 * Lets the parser of a connection go on before undici finishes it. In undici 7, a connection that ends while its parser waits for a
 * slow reader fails an assertion in an event handler, which ends the process (https://github.com/nodejs/undici/issues/5360): any
 * server that closes the connection behind 64 KB could do so. Version 8, which has mended it, needs Node.js 22.
 * @param socket that undici has not got yet, so that this comes before its own handlers
 */
export function resumeBeforeEnd(socket: Socket): void {
  const resume = (): void => {
    const parser = (socket as unknown as ParsedSocket)[kParser];
    if (!parser?.paused) return;
    parser.resume();
    // A body without a length ends with the connection, and pauses anew meanwhile.
    if (!parser.paused || parser.ptr === null) return;
    parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  };
  socket.on('end', resume).on('error', resume).on('close', resume);
}

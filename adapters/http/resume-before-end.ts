import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The package has no types for this module. */
const { kParser } = createRequire(import.meta.url)('undici/lib/core/symbols.js') as { kParser: symbol };

/** The used part of undici's response parser, which undici stores on the socket. */
interface ResponseParser {
  paused: boolean;
  /** Null once it is destroyed. */
  ptr: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  /** Continues reading; does nothing on a destroyed socket. */
  resume(): void;
}

type ParsedSocket = Record<symbol, ResponseParser | null | undefined>;

/**
 * Resumes the parser of a connection before undici ends it. In undici 7, an ending connection whose parser waits for a
 * slow reader fails an assertion in an event handler. This ends the process
 * (https://github.com/nodejs/undici/issues/5360). Any server could cause it by closing the connection after 64 KB.
 * Version 8 fixes it, but requires Node.js 22.
 * @param socket socket before undici gets it, so that these handlers run first
 */
export function resumeBeforeEnd(socket: Socket): void {
  const resume = (): void => {
    const parser = (socket as unknown as ParsedSocket)[kParser];
    if (!parser?.paused) return;
    parser.resume();
    // A body without a length ends with the connection, and pauses again in between.
    if (!parser.paused || parser.ptr === null) return;
    parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  };
  socket.on('end', resume).on('error', resume).on('close', resume);
}

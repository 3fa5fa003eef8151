import type { Socket } from 'node:net';
import { findResponseParser } from './response-parser.ts';

/**
 * Resumes the parser of a connection before undici ends it. In undici 7, an ending connection whose parser waits for a
 * slow reader fails an assertion in an event handler. This ends the process
 * (https://github.com/nodejs/undici/issues/5360). Any server could cause it by closing the connection after 64 KB.
 * Version 8 fixes it, but requires Node.js 22.
 * @param socket socket before undici gets it, so that these handlers run first
 */
export function resumeBeforeEnd(socket: Socket): void {
  const resume = (): void => {
    const parser = findResponseParser(socket);
    if (!parser?.paused) return;
    parser.resume();
    // A body without a length ends with the connection, and pauses again in between.
    if (!parser.paused || parser.ptr === null) return;
    parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  };
  socket.on('end', resume).on('error', resume).on('close', resume);
}

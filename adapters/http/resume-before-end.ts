import type { Socket } from 'node:net';
import { findResponseParser } from './response-parser.ts';

/**
 * Resumes a paused HTTP response parser before undici handles the end of its connection. Without this, undici
 * 7 fails an assertion in an event handler, which crashes the process
 * (https://github.com/nodejs/undici/issues/5360). Any server could cause the crash by closing the connection
 * while its response is read slowly. undici 8 fixes it, but requires Node.js 22.
 * @param socket new socket, before undici adds its own handlers
 */
export function resumeBeforeEnd(socket: Socket): void {
  const resumeParser = (): void => {
    const parser = findResponseParser(socket);
    if (!parser?.paused) return;
    parser.resume();
    // Resume the parser again: a body without a length ends with its connection, and undici may have paused
    // the parser again.
    if (!parser.paused || parser.ptr === null) return;
    parser.llhttp.llhttp_resume(parser.ptr);
    parser.paused = false;
  };
  socket.on('end', resumeParser).on('error', resumeParser).on('close', resumeParser);
}

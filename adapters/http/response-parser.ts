import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/**
 * Symbol under which the HTTP library undici stores its parser on a socket. undici has no types for this
 * module.
 */
const { kParser } = createRequire(import.meta.url)('undici/lib/core/symbols.js') as { kParser: symbol };

/** Part of undici's HTTP response parser that Parley uses. */
export interface ResponseParser {
  /** HTTP status of the response whose headers were read last; 0 before the next response. */
  statusCode: number;
  /**
   * Number of bytes that were read of the current response's body, without the framing of chunked encoding.
   */
  bytesRead: number;
  paused: boolean;
  /** Pointer to the parser's native code; null once the parser is destroyed. */
  ptr: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  /** Resumes parsing of the response. Does nothing if the socket is destroyed. */
  resume(): void;
}

type ParsedSocket = Record<symbol, ResponseParser | null | undefined>;

/** Returns the HTTP response parser of a socket; undefined before undici has created one. */
export function findResponseParser(socket: Socket): ResponseParser | undefined {
  return (socket as unknown as ParsedSocket)[kParser] ?? undefined;
}

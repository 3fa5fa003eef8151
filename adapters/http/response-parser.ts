import { createRequire } from 'node:module';
import type { Socket } from 'node:net';

/** The package has no types for this module. */
const { kParser } = createRequire(import.meta.url)('undici/lib/core/symbols.js') as { kParser: symbol };

/** The used part of undici's response parser, which undici stores on the socket. */
export interface ResponseParser {
  /** Status of the response whose headers were read last; 0 between two responses. */
  statusCode: number;
  /** Body bytes of the current response, without the framing of chunks. */
  bytesRead: number;
  paused: boolean;
  /** Null once it is destroyed. */
  ptr: number | null;
  llhttp: { llhttp_resume(ptr: number): void };
  /** Continues reading; does nothing on a destroyed socket. */
  resume(): void;
}

type ParsedSocket = Record<symbol, ResponseParser | null | undefined>;

/** Returns the parser that reads from a socket; undefined before undici has created it. */
export function findResponseParser(socket: Socket): ResponseParser | undefined {
  return (socket as unknown as ParsedSocket)[kParser] ?? undefined;
}

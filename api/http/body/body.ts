import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError } from '../../../core/errors/errors.ts';
import { yieldBeforeLongWork, forEachSlice } from '../../../core/concurrency/cooperative.ts';
import { formatSize } from '../../../core/text/size-text.ts';
import { describeEncoding } from './describe-encoding.ts';
import { boundJson, type JsonBounds } from './json-outline.ts';

export interface JsonBody {
  value: unknown;
  /** True if the body exceeded its limits. `value` then contains only the beginning of the body. */
  isTruncated: boolean;
}

/**
 * Reads and parses a JSON body of at most `maxBytes`. Parses no more values than `bounds` permit. Null for an
 * empty body.
 * @throws AppError `unsupported_media_type`, `payload_too_large` or `malformed_json`
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes: number,
  bounds: JsonBounds,
): Promise<JsonBody | null> {
  const bytes = await readJsonBytes(request, maxBytes);
  if (bytes.length === 0) return null;
  const { text, isTruncated } = await boundJson(await decode(bytes), bounds);
  await yieldBeforeLongWork(text.length);
  const value = parse(text, bytes);
  await yieldBeforeLongWork(text.length);
  return { value, isTruncated };
}

/**
 * Reads a JSON body without parsing it.
 * @throws AppError `unsupported_media_type`, `payload_too_large` or `malformed_json`
 */
export async function readJsonBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length > 0) requireJson(request);
  return bytes;
}

/**
 * Maximum number of bytes of a character in UTF-8. The search for an invalid byte starts this far before the
 * valid text ends.
 */
const MAX_CHARACTER_BYTES = 4;
/** Maximum number of characters in a media type or charset that an error message repeats. */
const MAX_SHOWN_TYPE = 100;

/**
 * Returns the error message for a body whose Content-Type is not JSON.
 * @param type media type of the request; empty if the request states none
 */
function describeOtherType(type: string): string {
  if (type === '') return 'The header Content-Type is missing. Send the body as application/json.';
  const advice = type === 'application/x-www-form-urlencoded' ? ' With curl, use --json instead of -d.' : '';
  return `Send the body as application/json, not ${type.slice(0, MAX_SHOWN_TYPE)}.${advice}`;
}

function requireJson(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (!isJsonType(type)) throw new AppError('unsupported_media_type', describeOtherType(type.trim()));
  const charset = parameters.map((parameter) => parameter.trim()).find((each) => each.startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset)) {
    const name = charset.slice('charset='.length, MAX_SHOWN_TYPE);
    throw new AppError('unsupported_media_type', `Send the body in UTF-8, not ${name}.`);
  }
  requireNoEncoding(request);
}

/** Returns whether a Content-Type is JSON, regardless of its parameters. */
export function isJsonType(contentType: string): boolean {
  return /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i.test(contentType.trim());
}

/**
 * Refuses compressed request bodies.
 * @throws AppError `unsupported_media_type`
 */
export function requireNoEncoding({ headers }: IncomingMessage): void {
  if ((headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'Send the body without a content encoding.');
}

async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const length = request.headers['content-length'];
    return await getRawBody(request, { limit: maxBytes, ...(length !== undefined && { length }) });
  } catch (error) {
    if (isTooLarge(error)) {
      throw new AppError('payload_too_large', `The body exceeds ${formatSize(maxBytes)}.`, {
        cause: error,
      });
    }
    throw new AppError('malformed_json', 'The body ended before it was complete.', { cause: error });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

async function decode(bytes: Buffer): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const pieces: string[] = [];
  let decodedBytes = 0;
  try {
    await forEachSlice(bytes.length, (from, to) => {
      pieces.push(decoder.decode(bytes.subarray(from, to), { stream: true }));
      decodedBytes = to;
    });
    pieces.push(decoder.decode());
  } catch (error) {
    const message = describeEncoding(bytes) ?? describeInvalidByte(bytes, decodedBytes);
    throw new AppError('malformed_json', message, { cause: error });
  }
  return pieces.join('');
}

/**
 * Names the first byte of a body that is not UTF-8, and the usual cause.
 * @param validBytes number of bytes that were decoded without an error; the last character may be incomplete
 */
function describeInvalidByte(bytes: Buffer, validBytes: number): string {
  let position = Math.max(0, Math.min(validBytes, bytes.length - 1) - MAX_CHARACTER_BYTES);
  while (position > 0 && isContinuation(bytes[position]!)) position -= 1;
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let characterStart = position;
  try {
    for (; position < bytes.length; position += 1)
      if (decoder.decode(bytes.subarray(position, position + 1), { stream: true }) !== '')
        characterStart = position + 1;
  } catch {
    const byte = bytes[characterStart]!.toString(16);
    return `The body is not valid UTF-8 (byte ${characterStart + 1} is 0x${byte}). Send the text in UTF-8, not in Windows-1252 or Latin-1.`;
  }
  return 'The body is not valid UTF-8: its last character is incomplete.';
}

function isContinuation(byte: number): boolean {
  return byte >> 6 === 0b10;
}

/** Returns advice about the character at which a text stops being JSON, for the error message. */
function suggestJson(reason: string, text: string): string {
  const [, position] = /at position (\d+)/.exec(reason) ?? [];
  if (position === undefined) return '';
  const character = text[Number(position)] ?? '';
  if (character === "'") return ' Write names and texts in double quotes.';
  if (/[“”„‘’]/.test(character)) return ' Write straight double quotes.';
  if (/[/#]/.test(character)) return ' JSON has no comments.';
  const isAfterComma = /,\s*$/.test(text.slice(Math.max(0, Number(position) - 100), Number(position)));
  return /[}\]]/.test(character) && isAfterComma ? ' Remove the comma before it.' : '';
}

/** @param bytes encoded text of the body, whose encoding may be the cause of an error */
function parse(text: string, bytes: Buffer): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/, ".*$/s, '') : 'it cannot be parsed';
    const message =
      describeEncoding(bytes) ?? `The body is not valid JSON: ${reason}.${suggestJson(reason, text)}`;
    throw new AppError('malformed_json', message, { cause: error });
  }
}

import type { IncomingMessage } from 'node:http';
import getRawBody from 'raw-body';
import { AppError, validationError } from '../../core/errors.ts';
import { sizeText } from '../../core/size-text.ts';
import { MAX_JSON_DEPTH } from './validate.ts';

/**
 * Reads a JSON body of at most `maxBytes`.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, `malformed_json`, or `validation_error` for no body
 */
export async function readJsonBody(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length === 0) {
    throw validationError([{ field: '(body)', in: 'body', code: 'required', message: 'is required' }]);
  }
  requireJson(request);
  return parseJson(bytes);
}

function requireJson(request: IncomingMessage): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').toLowerCase().split(';');
  if (!/^application\/(json|[\w.+-]+\+json)$/.test(type.trim())) {
    throw new AppError('unsupported_media_type', 'Send the body as application/json.');
  }
  const charset = parameters.find((parameter) => parameter.trim().startsWith('charset='));
  if (charset && !/^charset="?utf-?8"?$/.test(charset.trim())) {
    throw new AppError('unsupported_media_type', 'Send the body in UTF-8.');
  }
  requireNoEncoding(request);
}

/** @throws AppError `unsupported_media_type` for a body that is compressed */
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
      throw new AppError('payload_too_large', `The body may have at most ${sizeText(maxBytes)}.`, {
        cause: error,
      });
    }
    throw new AppError('malformed_json', 'The body ended before it was complete.', { cause: error });
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'type' in error && error.type === 'entity.too.large';
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new AppError('malformed_json', 'The body is not valid UTF-8.', { cause: error });
  }
  if (depthOf(text) > MAX_JSON_DEPTH) {
    throw new AppError('malformed_json', `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/, ".*$/s, '') : 'it cannot be parsed';
    throw new AppError('malformed_json', `The body is not valid JSON: ${reason}.`, { cause: error });
  }
}

/** How deep arrays and objects nest, counted before anything is built from them. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return deepest;
}

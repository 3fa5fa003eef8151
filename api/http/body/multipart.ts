import type { IncomingMessage } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError, validationError, type ErrorDetail } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { formatSize } from '../../../core/text/size-text.ts';
import { isJsonType, requireNoEncoding } from './body.ts';
import type { MultipartSpec, Upload } from '../operation.ts';
import { assertValid } from '../schemas/validate.ts';
import type { Check } from '../schemas/check.ts';

/** Maximum bytes of a multipart body besides the file: boundaries, part headers and text fields. */
const ENVELOPE_BYTES = 64 * 1024;
const MAX_FIELDS = 20;

/** Maximum size of an uploaded file, with the error message for a larger file. */
interface FileLimit {
  maxBytes: number;
  refusal: string;
}

export function chooseFileLimit(
  { maxFileBytes }: MultipartSpec,
  { uploadMaxBytes }: Pick<Settings, 'uploadMaxBytes'>,
): FileLimit {
  const maxBytes = maxFileBytes ?? uploadMaxBytes;
  const remedy = maxFileBytes === undefined ? ', or have the operator raise PARLEY_UPLOAD_MAX_BYTES' : '';
  return { maxBytes, refusal: `The file exceeds ${formatSize(maxBytes)}. Send a smaller file${remedy}.` };
}

/**
 * Starts reading a multipart body. Resolves when its `file` part begins. The file's stream fails with
 * `payload_too_large` beyond `maxBytes`, and with `validation_error` if the client disconnects.
 * @throws AppError `unsupported_media_type`, `payload_too_large`, or `validation_error` if the body has no
 *   file
 */
export function readUpload(
  request: IncomingMessage,
  { maxBytes, refusal }: FileLimit,
  checkFields: Check,
): Promise<Upload> {
  requireMultipart(request);
  requireNoEncoding(request);
  const tooLarge = new AppError('payload_too_large', refusal);
  if (Number(request.headers['content-length'] ?? 0) > maxBytes + ENVELOPE_BYTES) throw tooLarge;
  return new Promise((resolve, reject) => {
    const parser = createParser(request, maxBytes);
    const fields: Record<string, string> = Object.create(null) as Record<string, string>;
    let file: Readable | undefined;
    let otherName: string | undefined;
    const completeBody = readWholeBody(request, parser);
    completeBody.then(
      () => reject(validationError(describeMissingFile(otherName, 'file' in fields))),
      (error: Error) => {
        file?.destroy(error);
        reject(error);
      },
    );
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    // The parser's types are wrong: a part with an empty file name has no `filename`.
    parser.on('file', (name, stream, filename: string | undefined, _encoding, mimeType) => {
      if (name !== 'file') {
        otherName = name;
        return void stream.resume();
      }
      file = boundedFile(stream, tooLarge);
      resolve({
        file: { filename: filename ?? '', declaredType: mimeType, content: file },
        fields: async () => {
          await completeBody;
          assertValid(checkFields(fields));
          return fields;
        },
      });
    });
    request.pipe(parser);
  });
}

const fileIsRequired: ErrorDetail = {
  field: 'file',
  in: 'body',
  code: 'required',
  message: 'is required; with curl, write -F file=@<path>',
};
const fileIsNotAlone: ErrorDetail = { ...fileIsRequired, code: 'maxItems', message: 'must be the only file' };

/**
 * @param otherName name of the part that was sent as a file in place of `file`
 * @param isText true if `file` was sent as a part without a file name
 */
function describeMissingFile(otherName: string | undefined, isText: boolean): ErrorDetail[] {
  if (isText)
    return [
      {
        ...fileIsRequired,
        code: 'type',
        message: 'was sent as text, not as a file; with curl, write -F file=@<path>',
      },
    ];
  if (!otherName) return [fileIsRequired];
  const message = 'is not a known field (did you mean file?)';
  return [
    { ...fileIsRequired, message: 'is required' },
    { field: otherName, path: [otherName], in: 'body', code: 'unknown_key', message },
  ];
}

const tooManyFields: ErrorDetail = {
  field: '(body)',
  in: 'body',
  code: 'maxItems',
  message: `must have at most ${MAX_FIELDS} fields`,
};

/** Matches a Content-Type with a valid boundary (RFC 2046, section 5.1.1). */
const BOUNDARY = /^multipart\/form-data\s*;.*boundary=(?:"[^"]{1,70}"|[^";\s]{1,70})\s*(?:;|$)/i;

/** @throws AppError `unsupported_media_type` if the request's Content-Type is not multipart/form-data */
function requireMultipart({ headers }: IncomingMessage): void {
  const type = headers['content-type'] ?? '';
  if (BOUNDARY.test(type)) return;
  if (!/^multipart\/form-data\b/i.test(type)) throw notMultipart(type);
  throw /boundary=/i.test(type)
    ? noBoundary()
    : new AppError(
        'unsupported_media_type',
        'The Content-Type multipart/form-data has no boundary. Do not set the header yourself: your HTTP client sets it for a form.',
      );
}

function notMultipart(type: string): AppError {
  const hint = type === '' ? '' : isJsonType(type) ? ', not as JSON' : ', not as the whole body';
  return new AppError(
    'unsupported_media_type',
    `Send the file in the field file of a multipart/form-data body${hint}.`,
  );
}

/**
 * Creates the parser of a request's multipart body.
 * @throws AppError `unsupported_media_type` if the parser rejects a Content-Type that `BOUNDARY` accepts
 */
function createParser({ headers }: IncomingMessage, maxBytes: number): BusboyInstance {
  const limits = {
    fileSize: maxBytes,
    files: 1,
    fields: MAX_FIELDS,
    fieldSize: 16 * 1024,
    parts: MAX_FIELDS + 2,
  };
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' }, limits });
  } catch (cause) {
    throw noBoundary(cause);
  }
}

function noBoundary(cause?: unknown): AppError {
  return new AppError(
    'unsupported_media_type',
    'Send the body as multipart/form-data with a boundary of at most 70 characters.',
    { cause },
  );
}

/**
 * Resolves when the parser has read the whole body of the request.
 * @throws AppError `validation_error` if the body is incomplete or has too many parts, which are not read
 */
function readWholeBody(request: IncomingMessage, parser: BusboyInstance): Promise<void> {
  return new Promise((resolve, reject) => {
    const rejectIncomplete = (cause: unknown) => reject(incomplete(cause));
    const rejectUpload = (detail: ErrorDetail) => () => {
      request.unpipe(parser);
      reject(validationError([detail]));
    };
    parser.once('filesLimit', rejectUpload(fileIsNotAlone));
    parser.once('fieldsLimit', rejectUpload(tooManyFields));
    parser.once('partsLimit', rejectUpload(tooManyFields));
    parser.once('finish', resolve);
    parser.once('error', rejectIncomplete);
    request.once('aborted', () => rejectIncomplete(undefined));
    request.once('error', rejectIncomplete);
  });
}

/**
 * Returns a stream of the file's bytes. Unlike the parser's own stream, this stream may fail before it has
 * listeners.
 */
function boundedFile(stream: Readable & { truncated?: boolean }, tooLarge: AppError): Readable {
  const content = new PassThrough();
  content.on('error', () => stream.resume());
  stream.once('limit', () => content.destroy(tooLarge));
  stream.once('error', (cause) => content.destroy(incomplete(cause)));
  stream.pipe(content);
  return content;
}

function incomplete(cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  return new AppError('validation_error', 'The upload ended before it was complete; send it again.', {
    cause,
    details: [{ field: 'file', in: 'body', code: 'incomplete', message: 'is not complete' }],
  });
}

import { describeType, isPromise, refusePromise } from './describe-type.ts';
import { ParleyError } from './errors.ts';
import { randomId } from './random-id.ts';

type Bytes = Uint8Array | ArrayBuffer;
type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file to upload, or content with a name for it. A stream is read only once, while it is sent, so it cannot
 * be sent again.
 */
export type Upload = File | { name: string; content: Blob | Bytes | string | ByteStream; type?: string };

/** Body of a request to upload a file. Streams cannot be repeated after a connection failure. */
export interface SentBody {
  content: RequestInit['body'];
  contentType: string | undefined;
  isRepeatable: boolean;
  /** Returns why the file of the upload could not be read; undefined if it was read. */
  findReadFault?: () => Promise<ParleyError | undefined>;
}

/** @throws ParleyError for a file without a name or content */
export function buildUploadBody(
  field: string,
  file: Upload,
  fields: Readonly<Record<string, string | readonly string[] | null | undefined>>,
): SentBody {
  // Callers in JavaScript may pass nothing, a path or a promise.
  refusePromise('The file', file, ParleyError);
  if (typeof file === 'string')
    throw new ParleyError(
      'A path is not accepted: pass { name, content: await openAsBlob(path) }, with openAsBlob of Node.js.',
    );
  if (!(file as Upload | null | undefined)?.name)
    throw new ParleyError('A file needs a name: pass { name, content }.');
  refusePromise('The name of the file', file.name, ParleyError);
  const texts = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value === undefined || value === null ? [] : [[name, toFormText(value)]],
  );
  const { content, type } = 'content' in file ? file : { content: file, type: file.type };
  if (isPromise(content))
    throw new ParleyError(
      `The content of ${file.name} is a promise. Await it, as in content: await readFile(path).`,
    );
  if (!isContent(content))
    throw new ParleyError(`The content of ${file.name} must be a string, bytes, a Blob or a stream.`);
  if (isStream(content)) return buildStreamedForm(field, { name: file.name, content, type }, texts);
  const form = new FormData();
  for (const [name, value] of texts) form.append(name, value);
  form.append(field, copyToBlob(content, type), file.name);
  const findReadFault = () => findBlobFault(file.name, content);
  return { content: form, contentType: undefined, isRepeatable: true, findReadFault };
}

/** Encodes a list in an upload form as JSON, because a form has only texts. */
function toFormText(value: string | readonly string[]): string {
  return Array.isArray(value) ? JSON.stringify(value) : (value as string);
}

/** Reads the first byte of a file, because `fetch` reports an unreadable file as a broken connection. */
async function findBlobFault(name: string, content: unknown): Promise<ParleyError | undefined> {
  if (!(content instanceof Blob)) return undefined;
  try {
    await content.slice(0, 1).arrayBuffer();
    return undefined;
  } catch (error) {
    // The platform's error does not say whether the file is a folder, was changed, or was deleted.
    const cause = 'it is a folder, or was changed or deleted since it was opened';
    return createReadFault(name, cause, error);
  }
}

function createReadFault(name: string, reason: string, cause: unknown): ParleyError {
  return new ParleyError(`${name} could not be read: ${reason}.`, { cause });
}

const CONTENT_TAGS = ['[object ArrayBuffer]', '[object Blob]', '[object File]'];

/**
 * Returns whether a value can be sent as the content of a file. Compares type tags, which are equal even for
 * objects of another JavaScript realm, such as a frame.
 */
function isContent(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return typeof content === 'string';
  if (isStream(content) || ArrayBuffer.isView(content) || content instanceof Blob) return true;
  return CONTENT_TAGS.includes(Object.prototype.toString.call(content));
}

function isStream(content: object | string): content is ByteStream {
  if (typeof content !== 'object' || content instanceof Blob) return false;
  return 'getReader' in content || Symbol.asyncIterator in content;
}

/** Copies the content of an upload, so that later changes do not affect retries. */
function copyToBlob(content: Blob | Bytes | string, type: string | undefined): Blob {
  if (content instanceof Blob && (type === undefined || type === content.type)) return content;
  return new Blob([content as Uint8Array<ArrayBuffer> | string], type === undefined ? {} : { type });
}

interface StreamedFile {
  name: string;
  content: ByteStream;
  type: string | undefined;
}

function buildStreamedForm(field: string, file: StreamedFile, texts: readonly [string, string][]): SentBody {
  const boundary = `parley-${randomId()}`;
  const part = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`;
  const before = texts.map(([name, value]) => `${part(`name="${escapeFormName(name)}"`)}\r\n${value}\r\n`);
  const type = file.type ?? 'application/octet-stream';
  const head = `${part(`name="${escapeFormName(field)}"; filename="${escapeFormName(file.name)}"`)}Content-Type: ${type}\r\n\r\n`;
  let fault: ParleyError | undefined;
  const source = readSource(file.content, (reason, cause) => {
    fault = createReadFault(file.name, reason, cause);
  });
  const content = concatStreams([before.join('') + head, source, `\r\n--${boundary}--\r\n`]);
  return {
    content,
    contentType: `multipart/form-data; boundary=${boundary}`,
    isRepeatable: false,
    findReadFault: async () => fault,
  };
}

/** Escapes the name of a file in a multipart body according to the HTML standard. */
function escapeFormName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function concatStreams(parts: readonly (string | AsyncIterable<Uint8Array>)[]): ReadableStream<Uint8Array> {
  const chunks = readChunks(parts);
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return();
    },
  });
}

async function* readChunks(
  parts: readonly (string | AsyncIterable<Uint8Array>)[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const part of parts) {
    if (typeof part === 'string') yield encoder.encode(part);
    else yield* part;
  }
}

/**
 * Reads the stream with the content of an uploaded file.
 * @param onFault called before the stream fails, because `fetch` hides the error of a stream
 */
async function* readSource(
  content: ByteStream,
  onFault: (reason: string, cause: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of 'getReader' in content ? readStream(content) : content) {
      if (!ArrayBuffer.isView(chunk))
        throw new TypeError(`its stream contains ${describeType(chunk)} instead of bytes`);
      yield chunk;
    }
  } catch (error) {
    onFault(describeSourceFault(error), error);
    throw error;
  }
}

function describeSourceFault(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'ENOENT') return 'it does not exist';
  return typeof message === 'string' && message !== '' ? message.replace(/\.$/, '') : 'its stream failed';
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

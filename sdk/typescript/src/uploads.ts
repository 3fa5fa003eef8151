import { isPromise, refusePromise } from './describe-type.ts';
import { ParleyError } from './errors.ts';
import { randomId } from './random-id.ts';

type Bytes = Uint8Array | ArrayBuffer;
type ByteStream = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * A file, or content with a name for it. A stream is read only once, while it is sent, so it cannot be sent
 * again.
 */
export type Upload = File | { name: string; content: Blob | Bytes | string | ByteStream; type?: string };

/** Body of a request. Streams cannot be repeated after a connection failure. */
export interface SentBody {
  content: RequestInit['body'];
  contentType: string | undefined;
  isRepeatable: boolean;
}

/** @throws ParleyError for a file without a name or content */
export function buildUploadBody(
  field: string,
  file: Upload,
  fields: Readonly<Record<string, string | undefined>>,
): SentBody {
  // Callers in JavaScript may pass nothing, a path or a promise.
  refusePromise('The file', file, ParleyError);
  if (typeof file === 'string')
    throw new ParleyError(
      'A path is not read: pass { name, content: await openAsBlob(path) }, with openAsBlob of Node.js.',
    );
  if (!(file as Upload | null | undefined)?.name)
    throw new ParleyError('A file needs a name: pass { name, content }.');
  refusePromise('The name of the file', file.name, ParleyError);
  const texts = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
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
  return { content: form, contentType: undefined, isRepeatable: true };
}

const CONTENT_TAGS = ['[object ArrayBuffer]', '[object Blob]', '[object File]'];

/** Returns whether content can be sent. Compares tags, which objects of another realm share. */
function isContent(content: unknown): boolean {
  if (typeof content !== 'object' || content === null) return typeof content === 'string';
  if (isStream(content) || ArrayBuffer.isView(content) || content instanceof Blob) return true;
  return CONTENT_TAGS.includes(Object.prototype.toString.call(content));
}

function isStream(content: object | string): content is ByteStream {
  if (typeof content !== 'object' || content instanceof Blob) return false;
  return 'getReader' in content || Symbol.asyncIterator in content;
}

/** Copies the content, so that later changes do not affect retries. */
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
  const content = concatStreams([before.join('') + head, file.content, `\r\n--${boundary}--\r\n`]);
  return { content, contentType: `multipart/form-data; boundary=${boundary}`, isRepeatable: false };
}

/** Escapes a name in a multipart body according to the HTML standard. */
function escapeFormName(name: string): string {
  return name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function concatStreams(parts: readonly (string | ByteStream)[]): ReadableStream<Uint8Array> {
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
  parts: readonly (string | ByteStream)[],
): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder();
  for (const part of parts) {
    if (typeof part === 'string') yield encoder.encode(part);
    else yield* 'getReader' in part ? readStream(part) : part;
  }
}

async function* readStream(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = stream.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

import { createHash } from 'node:crypto';
import { pipeline, Transform, type TransformCallback } from 'node:stream';
import { ObjectChangedError, type OpenedObject } from './object-storage.ts';

/** Size and digest of a stored file according to its database row. */
export interface ExpectedContent {
  /** Size of the file in bytes; null if the database row has no size. */
  sizeBytes: number | null;
  /** SHA-256 digest of the file in lower-case hex; null if the database row has no digest. */
  sha256: string | null;
}

/**
 * Compares an opened file with its database row. The returned stream fails before its last chunk if size or
 * digest differ, so that no reader gets the complete changed content.
 * @param onChanged callback before the error is thrown or ends the stream
 * @throws ObjectChangedError if the store already sent another size
 */
export async function verifyContent(
  key: string,
  opened: OpenedObject,
  expected: ExpectedContent,
  onChanged: () => Promise<void> = async () => undefined,
): Promise<OpenedObject> {
  const { content, sizeBytes } = opened;
  if (sizeBytes !== undefined && expected.sizeBytes !== null && sizeBytes !== expected.sizeBytes) {
    content.destroy();
    await onChanged();
    throw createSizeError(key, sizeBytes, expected);
  }
  const verified = new VerifyingStream(key, expected, onChanged);
  pipeline(content, verified, () => undefined);
  return { content: verified, sizeBytes };
}

class VerifyingStream extends Transform {
  readonly #key: string;
  readonly #expected: ExpectedContent;
  readonly #onChanged: () => Promise<void>;
  readonly #hash = createHash('sha256');
  #sizeBytes = 0;
  #lastChunk: Buffer | null = null;

  constructor(key: string, expected: ExpectedContent, onChanged: () => Promise<void>) {
    super();
    this.#key = key;
    this.#expected = expected;
    this.#onChanged = onChanged;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#sizeBytes += chunk.length;
    if (this.#expected.sizeBytes !== null && this.#sizeBytes > this.#expected.sizeBytes)
      return this.#reportChange(createSizeError(this.#key, this.#sizeBytes, this.#expected), done);
    if (this.#expected.sha256 !== null) this.#hash.update(chunk);
    const previous = this.#lastChunk;
    this.#lastChunk = chunk;
    if (previous === null) done();
    else done(null, previous);
  }

  override _flush(done: TransformCallback): void {
    const { sizeBytes, sha256 } = this.#expected;
    if (sizeBytes !== null && this.#sizeBytes !== sizeBytes)
      return this.#reportChange(createSizeError(this.#key, this.#sizeBytes, this.#expected), done);
    if (sha256 !== null && this.#hash.digest('hex') !== sha256)
      return this.#reportChange(new ObjectChangedError(this.#key, 'its SHA-256 digest differs'), done);
    if (this.#lastChunk === null) done();
    else done(null, this.#lastChunk);
  }

  #reportChange(error: ObjectChangedError, done: TransformCallback): void {
    this.#onChanged().then(() => done(error), done);
  }
}

function createSizeError(key: string, sizeBytes: number, expected: ExpectedContent): ObjectChangedError {
  return new ObjectChangedError(key, `it has ${sizeBytes} bytes instead of ${expected.sizeBytes}`);
}

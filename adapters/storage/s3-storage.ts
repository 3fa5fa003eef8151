import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  NoSuchKey,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { MeasuringStream } from './measuring-stream.ts';
import {
  assertKey,
  assertPrefix,
  ObjectMissingError,
  type ObjectStorage,
  type OpenedObject,
  type StoredObject,
  UnexpectedResponseError,
} from './object-storage.ts';
import { limitClient, S3_LIMITS, type S3Limits } from './s3-limits.ts';

export interface S3StorageOptions {
  bucket: string;
  region: string;
  /** URL of an S3-compatible service; by default the URL of Amazon S3. */
  endpoint?: string | undefined;
  /** Credentials for S3; undefined to use the machine's credentials (environment, profile or role). */
  credentials?: { accessKeyId: string; secretAccessKey: string } | undefined;
  limits?: S3Limits;
}

/**
 * Size in bytes of an upload's parts, each of which stays in memory until it is sent. 5 MiB is the minimum in
 * S3.
 */
const PART_BYTES = 5 * 1024 * 1024;
const PARTS_IN_FLIGHT = 2;
const CONNECT_TIMEOUT_MS = 5_000;

/** File storage that keeps objects in a bucket of Amazon S3 or a compatible service. */
export class S3Storage implements ObjectStorage {
  readonly #client: S3Client;
  readonly #uploadClient: S3Client;
  readonly #bucket: string;
  readonly #listPages: number;

  constructor({ bucket, region, endpoint, credentials, limits = S3_LIMITS }: S3StorageOptions) {
    this.#bucket = bucket;
    this.#listPages = limits.listPages;
    const config: S3ClientConfig = {
      region,
      ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
      ...(credentials && { credentials }),
      // Disable S3's newer checksums: request signatures already cover each part, and many compatible
      // services do not support them.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    };
    const requestHandler = {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      // End the request after its timeout. By default, the SDK only logs a warning.
      throwOnRequestTimeout: true,
    };
    this.#client = new S3Client({ ...config, requestHandler });
    // A timeout of the socket ends an upload without progress. Such a timeout would also end downloads whose
    // reader pauses; downloads therefore use the other client.
    this.#uploadClient = new S3Client({
      ...config,
      requestHandler: { ...requestHandler, socketTimeout: limits.pauseMs },
    });
    for (const client of [this.#client, this.#uploadClient]) limitClient(client, limits);
  }

  async put(key: string, content: Readable): Promise<StoredObject> {
    assertKey(key);
    const measured = new MeasuringStream();
    const upload = new Upload({
      client: this.#uploadClient,
      params: { Bucket: this.#bucket, Key: key, Body: measured },
      partSize: PART_BYTES,
      queueSize: PARTS_IN_FLIGHT,
    });
    const uploading = upload.done().catch((error: Error) => {
      measured.destroy(error);
      throw error;
    });
    // Wait for both reading and uploading, since a failed upload still has to delete its parts.
    const [reading, writing] = await Promise.allSettled([pipeline(content, measured), uploading]);
    if (reading.status === 'rejected') throw reading.reason;
    if (writing.status === 'rejected') throw writing.reason;
    return measured.getResult();
  }

  async open(key: string): Promise<OpenedObject> {
    assertKey(key);
    try {
      const { Body, ContentLength } = await this.#client.send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
      );
      if (!(Body instanceof Readable)) throw new Error(`The store sent no content for ${key}.`);
      return { content: Body, sizeBytes: ContentLength };
    } catch (error) {
      throw error instanceof NoSuchKey ? new ObjectMissingError(key, { cause: error }) : error;
    }
  }

  async delete(key: string): Promise<void> {
    assertKey(key);
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.#bucket, Key: key }));
  }

  async deletePrefix(prefix: string): Promise<void> {
    assertPrefix(prefix);
    let token: string | undefined;
    for (let pages = 0; pages < this.#listPages; pages += 1) {
      const { Contents = [], NextContinuationToken: next } = await this.#client.send(
        new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: prefix, ContinuationToken: token }),
      );
      await this.#deleteListed(prefix, Contents);
      if (!next) return;
      if (next === token || Contents.length === 0)
        throw new UnexpectedResponseError(
          `The store repeated a page of its list of objects below ${prefix}.`,
        );
      token = next;
    }
    throw new UnexpectedResponseError(
      `The store’s list of objects below ${prefix} has more than ${this.#listPages} pages.`,
    );
  }

  async #deleteListed(prefix: string, listed: readonly { Key?: string | undefined }[]): Promise<void> {
    if (listed.length === 0) return;
    if (listed.some(({ Key }) => !Key?.startsWith(prefix)))
      throw new UnexpectedResponseError(`The store listed an object that is not below ${prefix}.`);
    const Objects = listed.map(({ Key }) => ({ Key }));
    const { Errors = [] } = await this.#client.send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors.length > 0)
      throw new Error(`${Errors.length} objects below ${prefix} were not deleted: ${Errors[0]?.Message}`);
  }

  async check(): Promise<void> {
    await this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket }));
  }
}

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type Koa from 'koa';

/** Content of a file, compressed in each encoding that browsers accept. */
export interface EncodedContent {
  etag: string;
  encodings: Record<'br' | 'gzip' | 'identity', Buffer>;
}

/** Compresses content in threads. @param brotliQuality 11 is slow: 3 s for 1 MB */
export async function encodeContent(
  identity: Buffer,
  brotliQuality = constants.BROTLI_MAX_QUALITY,
): Promise<EncodedContent> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality };
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params }),
    promisify(gzip)(identity, { level: 9 }),
  ]);
  const etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`;
  return { etag, encodings: { br, gzip: zipped, identity } };
}

export function sendEncoded(koa: Koa.Context, { etag, encodings }: EncodedContent): void {
  koa.set('ETag', etag);
  koa.vary('Accept-Encoding');
  koa.status = 200;
  if (koa.fresh) {
    koa.status = 304;
    return;
  }
  const encoding = koa.acceptsEncodings('br', 'gzip', 'identity') || 'identity';
  if (encoding !== 'identity') koa.set('Content-Encoding', encoding);
  koa.body = encodings[encoding as keyof EncodedContent['encodings']];
}

import assert from 'node:assert/strict';
import { crc32, deflateSync } from 'node:zlib';
import type { ApiClient } from './parley.ts';
import type { BodyAt } from './response-types.ts';

type Color = readonly [red: number, green: number, blue: number];

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Builds a PNG of one color. */
export function buildPng(width: number, height: number, color: Color = [30, 64, 175]): Buffer<ArrayBuffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8); // Set bit depth 8 and color type 2 (RGB).
  const row = Buffer.from([0, ...Array.from({ length: width }, () => color).flat()]);
  const pixels = Buffer.concat(Array.from({ length: height }, () => row));
  return Buffer.concat([
    SIGNATURE,
    buildPngChunk('IHDR', header),
    buildPngChunk('IDAT', deflateSync(pixels)),
    buildPngChunk('IEND'),
  ]);
}

export function buildPngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/** Uploads an image as a bot's avatar; returns the response's body. */
export async function uploadAvatar(client: ApiClient, botId: string, image = buildPng(8, 8)) {
  const form = new FormData();
  form.set('file', new File([image], 'avatar.png'));
  const response = await client.fetch(`/api/bots/${botId}/theme/avatar`, { method: 'POST', body: form });
  const body = (await response.json()) as BodyAt<'POST', '/api/bots/{}/theme/avatar'>;
  assert.equal(response.status, 200, JSON.stringify(body));
  return body;
}

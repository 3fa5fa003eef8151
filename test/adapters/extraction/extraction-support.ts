import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { extractDocument } from '../../../adapters/extraction/extract.ts';
import { isUnreadable, type UnreadableReason } from '../../../adapters/extraction/unreadable-document.ts';

export const fixturePath = (name: string) =>
  fileURLToPath(new URL(`../../fixtures/documents/${name}`, import.meta.url));

export const extractFixture = (name: string) =>
  extractDocument({ bytes: readFileSync(fixturePath(name)), filename: name, mimeType: null });

export const extractBytes = (
  content: string | Uint8Array,
  filename: string,
  mimeType: string | null = null,
) => extractDocument({ bytes: Buffer.from(content), filename, mimeType });

export async function assertUnreadable(reading: Promise<unknown>, reason: UnreadableReason, message: string) {
  await assert.rejects(reading, (error) => {
    assert(isUnreadable(error));
    assert.deepEqual({ reason: error.reason, message: error.message }, { reason, message });
    return true;
  });
}

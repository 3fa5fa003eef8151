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

/** Sentence that says what to do and follows the message about an unreadable document, by the reason. */
const ADVICE: Partial<Record<UnreadableReason, string>> = {
  damaged: 'Save the file again in the program that created it, or download it again, and send the new file.',
  empty: 'Check that the file was saved completely, and send it again.',
  encrypted: 'Remove the file’s password, then send the file again.',
  too_large: 'Split the file into smaller files.',
};

/** @param advice sentence that must follow the error message; null if the message itself says what to do */
export async function assertUnreadable(
  reading: Promise<unknown>,
  reason: UnreadableReason,
  message: string,
  advice: string | null = ADVICE[reason] ?? null,
) {
  await assert.rejects(reading, (error) => {
    assert(isUnreadable(error));
    assert.deepEqual(
      { reason: error.reason, message: error.message },
      { reason, message: advice === null ? message : `${message} ${advice}` },
    );
    return true;
  });
}

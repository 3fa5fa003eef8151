import { createHash } from 'node:crypto';
import type { Settings } from '../../core/settings/settings.ts';

/**
 * Settings that change the vectors of the embedding model. These settings are part of the model's name, so
 * that vectors of different settings are never compared.
 */
export type EmbeddingConfig = Pick<Settings, 'embeddingWindowTokens' | 'embeddingPassagePrefix'>;

/**
 * Default size of the windows into which passages are split, in tokens. It suits most models, and adds no
 * suffix to the model's name.
 */
const DEFAULT_WINDOW_TOKENS = 256;
const FINGERPRINT_DIGITS = 8;
const FINGERPRINT = /#[0-9a-f]{8}$/;

/** Returns a suffix for the embedding model's name that identifies the settings; empty for the defaults. */
export function embeddingFingerprint({
  embeddingWindowTokens,
  embeddingPassagePrefix = '',
}: EmbeddingConfig): string {
  if (embeddingWindowTokens === DEFAULT_WINDOW_TOKENS && embeddingPassagePrefix === '') return '';
  const settingsJson = JSON.stringify([embeddingWindowTokens, embeddingPassagePrefix]);
  return `#${createHash('sha256').update(settingsJson).digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
}

export function stripFingerprint(model: string): string {
  return model.replace(FINGERPRINT, '');
}

import { createHash } from 'node:crypto';
import type { Settings } from '../../core/settings/settings.ts';

/**
 * Settings that change vectors: a text cut to another length, or with another prefix, has another vector. They are
 * therefore part of the model's name.
 */
export type EmbeddingConfig = Pick<Settings, 'embeddingWindowTokens' | 'embeddingPassagePrefix'>;

/** Default that suits most models. It adds no suffix to the name. */
const DEFAULT_WINDOW_TOKENS = 256;
const FINGERPRINT_DIGITS = 8;
const FINGERPRINT = /#[0-9a-f]{8}$/;

/** Returns the suffix of a model's name for settings other than the defaults. */
export function embeddingFingerprint({
  embeddingWindowTokens,
  embeddingPassagePrefix = '',
}: EmbeddingConfig): string {
  if (embeddingWindowTokens === DEFAULT_WINDOW_TOKENS && embeddingPassagePrefix === '') return '';
  const making = JSON.stringify([embeddingWindowTokens, embeddingPassagePrefix]);
  return `#${createHash('sha256').update(making).digest('hex').slice(0, FINGERPRINT_DIGITS)}`;
}

export function stripFingerprint(model: string): string {
  return model.replace(FINGERPRINT, '');
}

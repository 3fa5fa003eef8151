import { createHash } from 'node:crypto';
import type { Settings } from '../../core/settings/settings.ts';

/**
 * Settings that change vectors: a text cut to another length, or with another prefix, has another vector. They are
 * therefore part of the model's name.
 */
export type Making = Pick<Settings, 'embeddingWindowTokens' | 'embeddingPassagePrefix'>;

/** Default that suits most models. It adds no suffix to the name. */
const USUAL_WINDOW_TOKENS = 256;
const DIGITS_OF_SIGN = 8;
const SIGN = /#[0-9a-f]{8}$/;

/** Returns the suffix of a model's name for settings other than the defaults. */
export function signOf({ embeddingWindowTokens, embeddingPassagePrefix = '' }: Making): string {
  if (embeddingWindowTokens === USUAL_WINDOW_TOKENS && embeddingPassagePrefix === '') return '';
  const making = JSON.stringify([embeddingWindowTokens, embeddingPassagePrefix]);
  return `#${createHash('sha256').update(making).digest('hex').slice(0, DIGITS_OF_SIGN)}`;
}

export function withoutSign(model: string): string {
  return model.replace(SIGN, '');
}

import { createHash } from 'node:crypto';
import type { Settings } from '../../core/settings/settings.ts';

/** A text of another length, or with other words before it, has another vector: the way they are made is part of a model's name. */
export type Making = Pick<Settings, 'embeddingWindowTokens' | 'embeddingPassagePrefix'>;

/** What most models want. Their names get no sign. */
const USUAL_WINDOW_TOKENS = 256;
const DIGITS_OF_SIGN = 8;
const SIGN = /#[0-9a-f]{8}$/;

/** What a model's name ends with, when its vectors are made in another way than usual. */
export function signOf({ embeddingWindowTokens, embeddingPassagePrefix = '' }: Making): string {
  if (embeddingWindowTokens === USUAL_WINDOW_TOKENS && embeddingPassagePrefix === '') return '';
  const making = JSON.stringify([embeddingWindowTokens, embeddingPassagePrefix]);
  return `#${createHash('sha256').update(making).digest('hex').slice(0, DIGITS_OF_SIGN)}`;
}

export function withoutSign(model: string): string {
  return model.replace(SIGN, '');
}

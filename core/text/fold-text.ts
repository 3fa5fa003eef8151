import { normalizeText } from './normalize-text.ts';

/** Normalizes a text so that case, width, and kinds of white space make no difference. */
export function foldText(text: string): string {
  return normalizeText(text, 'NFKC', Infinity).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

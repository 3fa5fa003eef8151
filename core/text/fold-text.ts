import { normalizeText } from './normalize-text.ts';

/**
 * Normalizes the beginning of a text so that case, width, and kinds of white space make no difference.
 * @param maxLength Infinity if the caller has limited the text
 */
export function foldText(text: string, maxLength: number): string {
  return normalizeText(text, 'NFKC', maxLength).toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

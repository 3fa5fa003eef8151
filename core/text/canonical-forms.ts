import { normalizeText } from './normalize-text.ts';

/**
 * Returns the Unicode forms in which the same text may be stored: as given, composed (NFC) and decomposed
 * (NFD). Stored texts have the form in which they were sent, such as NFD for names of files on macOS.
 * @param text text of limited length
 */
export function listCanonicalForms(text: string): string[] {
  return [...new Set([text, normalizeText(text, 'NFC', Infinity), normalizeText(text, 'NFD', Infinity)])];
}

import type { QuestionWords } from '../../core/analytics/same-question.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { getContentKeys, type ContentMarker } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';

/** Digest functions for words, by workspace; null for a workspace that stores words in plain text. */
export type Markers = ReadonlyMap<string, ContentMarker | null>;

/**
 * Loads the functions that digest the words of workspaces. Workspaces whose encryption key is unavailable are
 * missing.
 */
export async function loadMarkers({ dataSource }: Database, orgIds: readonly string[]): Promise<Markers> {
  const keys = getContentKeys(dataSource);
  const markers = new Map<string, ContentMarker | null>();
  for (const orgId of new Set(orgIds)) {
    try {
      markers.set(orgId, await keys.getMarker(orgId));
    } catch (error) {
      if (!isKeyUnavailable(error)) throw error;
    }
  }
  return markers;
}

/**
 * Matches words that contain a digit. Their digests end in a digit, so that the grouping still recognizes
 * them: questions that differ in such a word are never similar.
 */
const HAS_DIGIT = /\p{N}/u;
const NUMBER = '0';

/** Replaces the words of a question by keyed digests, if the workspace encrypts content. */
export function markWords(marker: ContentMarker | null, words: QuestionWords): QuestionWords {
  if (marker === null) return words;
  const digestWord = (lexeme: string) =>
    `${encodeLetters(marker.digestWord(lexeme))}${HAS_DIGIT.test(lexeme) ? NUMBER : ''}`;
  return { lexemes: words.lexemes.map(digestWord), names: words.names.map(digestWord) };
}

/** Encodes a word's digest without digits, because the grouping compares words with digits differently. */
function encodeLetters(mark: string): string {
  const hex = Buffer.from(mark, 'base64url').toString('hex');
  return hex.replace(/\d/g, (digit) => String.fromCharCode('g'.charCodeAt(0) + Number(digit)));
}

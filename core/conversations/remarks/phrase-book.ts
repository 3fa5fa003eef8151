import { groupItems } from '../../group-items.ts';
import { differsByOneEdit } from './differs-by-one-edit.ts';
import { smallTalkKinds, type LanguagePhrases, type SmallTalkKind } from './phrases/language-phrases.ts';

/**
 * Minimum number of characters in a word that can count as misspelled. Shorter words are too similar to other
 * words.
 */
const MIN_MISSPELLED_LENGTH = 4;
const MAX_CORRECTED_WORDS = 12;
/** Maximum number of phrases, such as "hello", before or after a request for a person. */
const MAX_SKIPPED_PHRASES = 4;

/** Meaning of a clause of a message. */
export interface ClauseMeaning {
  kind: SmallTalkKind | 'wants_person';
  /** False if words were corrected, so that the clause may mean something else. */
  isCertain: boolean;
}

/** The phrases of one language, prepared for recognition. */
export class PhraseBook {
  readonly #phrases = new Map<string, SmallTalkKind | 'filler'>();
  readonly #intensifiers: ReadonlySet<string>;
  /** Number of words of the longest phrase that begins with a word. */
  readonly #maxWordsByFirst = new Map<string, number>();
  readonly #lastWords = new Set<string>();
  readonly #vocabulary: Set<string>;
  /** Words of the vocabulary that are long enough to be recognized when misspelled. */
  readonly #wordsByFirstLetter: Map<string, string[]>;
  readonly #request: RegExp;

  constructor({ smallTalk, fillers, intensifiers, person }: LanguagePhrases) {
    this.#intensifiers = new Set(intensifiers.split('|'));
    for (const phrase of fillers.split('|')) this.#phrases.set(phrase, 'filler');
    for (const kind of smallTalkKinds)
      for (const phrase of smallTalk[kind].split('|')) this.#phrases.set(phrase, kind);
    const phrases = [...this.#phrases.keys()];
    for (const phrase of phrases) {
      const words = phrase.split(' ');
      const [first = ''] = words;
      this.#maxWordsByFirst.set(first, Math.max(words.length, this.#maxWordsByFirst.get(first) ?? 0));
      this.#lastWords.add(words.at(-1)!);
    }
    const fill = (sources: readonly string[]) =>
      sources
        .map((source) => source.replaceAll('{person}', person.any).replaceAll('{human}', person.human))
        .join('|');
    const long = `(?:${fill(person.requests)})(?: (?:${person.continuations})(?: .*)?)?`;
    this.#request = new RegExp(`^(?:${long}|${fill(person.shortRequests)})$`);
    const words = `${phrases.join(' ')} ${this.#request.source}`.match(/[a-z]+/g) ?? [];
    this.#vocabulary = new Set(words);
    const longWords = [...this.#vocabulary].filter(({ length }) => length >= MIN_MISSPELLED_LENGTH);
    this.#wordsByFirstLetter = new Map(groupItems(longWords, (word) => word[0]!));
  }

  /** Returns the meaning of a clause; null if it is neither small talk nor a request for a person. */
  readClause(words: readonly string[]): ClauseMeaning | null {
    const plain = words.filter((word) => !this.#intensifiers.has(word));
    return this.#readCorrected(words) ?? (plain.length < words.length ? this.#readCorrected(plain) : null);
  }

  #readCorrected(words: readonly string[]): ClauseMeaning | null {
    const exact = this.#readWords(words);
    if (exact !== null) return { kind: exact, isCertain: true };
    if (words.length > MAX_CORRECTED_WORDS) return null;
    const corrected = words.map((word) => this.#correct(word));
    const correctedKind = corrected.some((word, index) => word !== words[index])
      ? this.#readWords(corrected)
      : null;
    return correctedKind && { kind: correctedKind, isCertain: false };
  }

  /** Returns true if all words of the clause are fillers, such as "please". */
  isFiller(words: readonly string[]): boolean {
    return words.every((word) => this.#phrases.get(word) === 'filler');
  }

  #readWords(words: readonly string[]): ClauseMeaning['kind'] | null {
    return this.#readSmallTalk(words) ?? (this.#asksForPerson(words) ? 'wants_person' : null);
  }

  /** Tries the clause without the phrases around it, such as "hello" and "please". */
  #asksForPerson(words: readonly string[]): boolean {
    const ends = this.#listEnds(words);
    let start = 0;
    for (let skipped = 0; skipped <= MAX_SKIPPED_PHRASES && start < words.length; skipped += 1) {
      for (const end of ends) if (this.#request.test(words.slice(start, end).join(' '))) return true;
      const { length } = this.#findPhrase(words, start);
      if (length === 0) return false;
      start += length;
    }
    return false;
  }

  /** Returns the lengths of the clause without the phrases at its end, longest first. */
  #listEnds(words: readonly string[]): number[] {
    const ends = [words.length];
    for (let end = words.length; ends.length <= MAX_SKIPPED_PHRASES; ends.push(end)) {
      if (end === 0 || !this.#lastWords.has(words[end - 1]!)) break;
      const start = words.findIndex((_, at) => at < end && this.#phrases.has(words.slice(at, end).join(' ')));
      if (start === -1) break;
      end = start;
    }
    return ends;
  }

  /** Reads the clause phrase by phrase. Returns null at a word that fits no phrase. */
  #readSmallTalk(words: readonly string[]): SmallTalkKind | null {
    const kinds = new Set<SmallTalkKind>();
    for (let at = 0; at < words.length;) {
      const { kind, length } = this.#findPhrase(words, at);
      if (length === 0) return null;
      if (kind !== 'filler') kinds.add(kind);
      at += length;
    }
    return chooseMostSpecific(kinds);
  }

  /**
   * Returns the longest phrase that begins at a word, with its length in words; 0 if no phrase begins there.
   */
  #findPhrase(words: readonly string[], at: number): { kind: SmallTalkKind | 'filler'; length: number } {
    const maxWords = this.#maxWordsByFirst.get(words[at]!) ?? 0;
    for (let length = Math.min(maxWords, words.length - at); length > 0; length -= 1) {
      const kind = this.#phrases.get(words.slice(at, at + length).join(' '));
      if (kind !== undefined) return { kind, length };
    }
    return { kind: 'filler', length: 0 };
  }

  /** Returns the word of the vocabulary that was probably meant; the given word if no word is similar. */
  #correct(word: string): string {
    if (word.length < MIN_MISSPELLED_LENGTH || this.#vocabulary.has(word)) return word;
    const similar = (this.#wordsByFirstLetter.get(word[0]!) ?? []).filter((known) =>
      differsByOneEdit(known, word),
    );
    if (similar.length < 2) return similar[0] ?? word;
    // Swapped or doubled letters are the most common errors.
    const letters = listLetters(word);
    return similar.find((known) => listLetters(known) === letters) ?? similar[0]!;
  }
}

function listLetters(word: string): string {
  return [...new Set(word)].toSorted().join('');
}

/** Returns the kind that says most about what the visitor expects, such as the thanks of "hello, thanks". */
export function chooseMostSpecific<K extends ClauseMeaning['kind']>(kinds: ReadonlySet<K>): K | null {
  const bySpecificity: readonly string[] = [...smallTalkKinds, 'wants_person'];
  const [best = null] = [...kinds].toSorted((a, b) => bySpecificity.indexOf(b) - bySpecificity.indexOf(a));
  return best;
}

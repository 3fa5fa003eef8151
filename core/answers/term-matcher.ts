import { compareWords, listWords, normalize, type Term } from './terms.ts';

/** Matches between a text and the terms of a question. */
export interface TermMatches {
  /**
   * Similarity of the text's best word with each term: 1 for the same word, less for a related form, 0 if no
   * word is related.
   */
  similarities: readonly number[];
  /** Number of different words in the text. */
  wordCount: number;
}

/** Matches of one text, with details that allow combining them with those of another text. */
export interface TextMatches extends TermMatches {
  words: ReadonlySet<string>;
  /** Pairs of adjacent characters that occur both in the text and in a term of a script without spaces. */
  pairs: ReadonlySet<string>;
  /** Number of character pairs that the text contains, for each term of a script without spaces. */
  pairHits: readonly number[];
}

/**
 * Contribution of a word or a character pair to the match of a term: a similarity, or how often the pair
 * occurs in the term.
 */
interface Credit {
  term: number;
  amount: number;
}

/**
 * Minimum fraction of the character pairs of a term without spaces (`Term.isDense`) that a text must contain
 * to match the term. Fewer are a coincidence.
 */
const MIN_DENSE_SHARE = 0.5;
const NO_PAIRS: ReadonlySet<string> = new Set();

/**
 * Compares the terms of one question with many texts. Caches the result for each word, since comparing every
 * term with every text would take too long.
 */
export class TermMatcher {
  readonly #terms: readonly Term[];
  /** Similarities of a text that matches no term of the question; one array for all such texts. */
  readonly #zeros: readonly number[];
  readonly #denseTerms: number[];
  readonly #creditsByWord = new Map<string, Credit[]>();
  readonly #creditsByPair = new Map<string, Credit[]>();
  /** Number of character pairs of each dense term, whose script has no spaces; 0 for other terms. */
  readonly #pairCounts: number[];

  constructor(terms: readonly Term[]) {
    this.#terms = terms;
    this.#zeros = terms.map(() => 0);
    this.#denseTerms = terms.flatMap(({ isDense }, index) => (isDense ? [index] : []));
    this.#pairCounts = terms.map((term, index) => (term.isDense ? this.#indexPairs(term.text, index) : 0));
  }

  match(text: string): TextMatches {
    const normalized = normalize(text);
    const words = listWords(normalized);
    const pairs = this.#denseTerms.length > 0 ? this.#findPairs(normalized) : NO_PAIRS;
    const pairHits = pairs.size > 0 ? this.#countPairs(pairs, this.#zeros) : this.#zeros;
    const similarities = this.#addDense(this.#compareWords(words), pairHits);
    const exact = this.#denseTerms.filter((term) => normalized.includes(this.#terms[term]!.text));
    return {
      similarities:
        exact.length > 0 ? similarities.map((own, term) => (exact.includes(term) ? 1 : own)) : similarities,
      wordCount: words.size,
      words,
      pairs,
      pairHits,
    };
  }

  /** Combines the matches of a text with those of the text above it, such as its heading or table head. */
  join(above: TextMatches, text: TextMatches): TermMatches {
    let similarities = above.similarities;
    if (text.similarities !== this.#zeros) {
      similarities = similarities.map((similarity, term) => Math.max(similarity, text.similarities[term]!));
    }
    if (above.pairs.size > 0 && text.pairs.size > 0) {
      const addedPairs = [...text.pairs].filter((pair) => !above.pairs.has(pair));
      similarities = this.#addDense(similarities, this.#countPairs(addedPairs, above.pairHits));
    }
    let wordCount = above.wordCount;
    for (const word of text.words) if (!above.words.has(word)) wordCount += 1;
    return { similarities, wordCount };
  }

  #compareWords(words: ReadonlySet<string>): readonly number[] {
    const credits = [...words].flatMap((word) => this.#compareWord(word));
    if (credits.length === 0) return this.#zeros;
    const similarities = [...this.#zeros];
    for (const { term, amount } of credits) similarities[term] = Math.max(similarities[term]!, amount);
    return similarities;
  }

  #compareWord(word: string): Credit[] {
    let credits = this.#creditsByWord.get(word);
    if (!credits) {
      credits = [];
      for (const [term, { text, isDense }] of this.#terms.entries()) {
        const amount = isDense ? 0 : compareWords(text, word);
        if (amount > 0) credits.push({ term, amount });
      }
      this.#creditsByWord.set(word, credits);
    }
    return credits;
  }

  /** Adds the character pairs of a dense term to the index of pairs. Returns the number of pairs. */
  #indexPairs(text: string, term: number): number {
    const pairs = listPairs(text);
    for (const pair of pairs) {
      const credits = this.#creditsByPair.get(pair) ?? [];
      const last = credits.at(-1);
      if (last?.term === term) last.amount += 1;
      else credits.push({ term, amount: 1 });
      this.#creditsByPair.set(pair, credits);
    }
    return pairs.length;
  }

  #findPairs(normalized: string): Set<string> {
    return new Set(listPairs(normalized).filter((pair) => this.#creditsByPair.has(pair)));
  }

  /**
   * Returns, for each term, `hits` plus the number of the given character pairs that the term contains.
   */
  #countPairs(pairs: Iterable<string>, hits: readonly number[]): readonly number[] {
    const counts = [...hits];
    for (const pair of pairs) {
      for (const { term, amount } of this.#creditsByPair.get(pair) ?? []) counts[term]! += amount;
    }
    return counts;
  }

  #addDense(similarities: readonly number[], pairHits: readonly number[]): readonly number[] {
    const shares = this.#denseTerms.map((term) => ({
      term,
      share: pairHits[term]! / Math.max(this.#pairCounts[term]!, 1),
    }));
    const distinctive = shares.filter(({ share }) => share >= MIN_DENSE_SHARE);
    if (distinctive.length === 0) return similarities;
    const added = [...similarities];
    for (const { term, share } of distinctive) added[term] = Math.max(added[term]!, share);
    return added;
  }
}

function listPairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

import { compareWords, listWords, normalize, type Term } from './terms.ts';

/** How well a text contains the terms of a question. */
export interface TermMatches {
  /** Similarity of each term: 1 for the exact word, less for a related form, 0 for neither. */
  similarities: readonly number[];
  /** Number of distinct words of the text. */
  wordCount: number;
}

/** Matches of one text, which can be joined with those of another. */
export interface TextMatches extends TermMatches {
  words: ReadonlySet<string>;
  /** Pairs of adjacent characters that the text shares with dense terms. */
  pairs: ReadonlySet<string>;
  /** Number of pairs of each term that the text contains. */
  pairHits: readonly number[];
}

/** A similarity of a word with a term, or how often a dense term contains a pair of characters. */
interface Credit {
  term: number;
  amount: number;
}

/** Minimum share of a dense term's pairs that a text contains; below it, matches are coincidental. */
const MIN_DENSE_SHARE = 0.5;
const NO_PAIRS: ReadonlySet<string> = new Set();

/**
 * Compares the terms of one question with many texts. Each distinct word is compared once, and each text is read once.
 * Comparing each term with all texts would multiply their lengths.
 */
export class TermMatcher {
  readonly #terms: readonly Term[];
  /** Shared by the many texts without a term. */
  readonly #zeros: readonly number[];
  readonly #denseTerms: number[];
  readonly #creditsByWord = new Map<string, Credit[]>();
  readonly #creditsByPair = new Map<string, Credit[]>();
  /** Number of pairs of each term; 0 if the term is not dense. */
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

  /** Returns the matches of a text together with those of the text above it, such as the head of its table. */
  join(above: TextMatches, text: TextMatches): TermMatches {
    let similarities = above.similarities;
    if (text.similarities !== this.#zeros) {
      similarities = similarities.map((similarity, term) => Math.max(similarity, text.similarities[term]!));
    }
    if (above.pairs.size > 0 && text.pairs.size > 0) {
      const added = [...text.pairs].filter((pair) => !above.pairs.has(pair));
      similarities = this.#addDense(similarities, this.#countPairs(added, above.pairHits));
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

  /** Adds the pairs of a dense term's characters to the index and returns their number. */
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

  /** Adds these pairs to the hits of each term. */
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
    const telling = shares.filter(({ share }) => share >= MIN_DENSE_SHARE);
    if (telling.length === 0) return similarities;
    const added = [...similarities];
    for (const { term, share } of telling) added[term] = Math.max(added[term]!, share);
    return added;
  }
}

function listPairs(text: string): string[] {
  const characters = Array.from(text);
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

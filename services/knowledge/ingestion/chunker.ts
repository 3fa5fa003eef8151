import type { Section } from '../../../adapters/extraction/extracted-document.ts';
import { splitAtoms, countTextTokens } from './token-count.ts';

export interface Chunk {
  /** Index of the chunk in the document, from 0. */
  position: number;
  headings: string[];
  text: string;
  tokenCount: number;
}

export interface ChunkOptions {
  /**
   * Title of the document. The title precedes the text of each chunk, like the headings, and counts toward
   * `maxTokens`.
   */
  title?: string | null;
  maxTokens?: number;
  overlapTokens?: number;
}

/** Ranks of the boundaries at which a chunk may end; a greater number is a better boundary. */
const boundaries = { none: 0, word: 1, sentence: 2, line: 3, paragraph: 4 } as const;
type Boundary = (typeof boundaries)[keyof typeof boundaries];

/** A word of a document with the space after it. */
interface Word {
  text: string;
  tokens: number;
  boundary: Boundary;
}

interface Part {
  text: string;
  tokenCount: number;
}

/**
 * Cuts the sections of a document into consecutive chunks of at most `maxTokens` tokens. A chunk prefers to
 * end at a paragraph, then at a line, sentence or word, and never spans a heading. Within a section, each
 * chunk repeats up to `overlapTokens` tokens of the previous chunk.
 */
export function* chunkSections(sections: Iterable<Section>, options: ChunkOptions = {}): Generator<Chunk> {
  const { title, maxTokens = 512, overlapTokens = 64 } = options;
  let position = 0;
  // Counts the title's tokens outside the loop: a document may have a section on every line.
  const titleTokens = countTextTokens(title ?? '');
  for (const { headings, text } of sections) {
    const contextTokens = titleTokens + countTextTokens(['', ...headings].join('\n'));
    const budget = Math.max(maxTokens - contextTokens, Math.ceil(maxTokens / 2));
    for (const part of cutIntoParts(text, budget, Math.min(overlapTokens, Math.floor(budget / 4)))) {
      yield { position, headings, ...part };
      position++;
    }
  }
}

function* cutIntoParts(text: string, maxTokens: number, overlapTokens: number): Generator<Part> {
  let window: Word[] = [];
  let tokens = 0;
  let repeated = 0;
  for (const word of splitWords(text)) {
    while (tokens + word.tokens > maxTokens && window.length > repeated) {
      const end = findBestEnd(window, tokens);
      yield joinWords(window.slice(0, end));
      const start = findOverlapStart(window, end, overlapTokens);
      window = window.slice(start);
      repeated = end - start;
      tokens = sumTokens(window);
    }
    window.push(word);
    tokens += word.tokens;
  }
  if (window.length > repeated) yield joinWords(window);
}

/**
 * Returns the index of the word after the end of the chunk: the best boundary in the second half of the
 * window. If several are equally good, the latest.
 */
function findBestEnd(window: readonly Word[], tokens: number): number {
  let best = window.length;
  let bestBoundary: Boundary = boundaries.none;
  let before = tokens;
  for (let index = window.length - 1; index > 0 && before > tokens / 2; index--) {
    const word = window[index]!;
    if (word.boundary > bestBoundary) [best, bestBoundary] = [index + 1, word.boundary];
    before -= word.tokens;
  }
  return best;
}

/**
 * Returns the index of the word at which the next chunk starts: the best boundary within the overlap. If
 * several are equally good, the earliest.
 */
function findOverlapStart(window: readonly Word[], end: number, overlapTokens: number): number {
  let best = end;
  let bestBoundary: Boundary = boundaries.none;
  let tokens = 0;
  for (let index = end - 1; index > 0; index--) {
    tokens += window[index]!.tokens;
    if (tokens > overlapTokens) break;
    const { boundary } = window[index - 1]!;
    if (boundary >= bestBoundary) [best, bestBoundary] = [index, boundary];
  }
  return best;
}

const sentenceEnd = /[.!?…。！？｡]["'”’»)\]]*$/;
const cjkSentenceEnd = /[。！？｡]$/;

function* splitWords(text: string): Generator<Word> {
  let word: Word | null = null;
  for (const atom of splitAtoms(text.trim())) {
    if (word && atom.isSpace) {
      word.boundary = classifySpace(word.text, atom.text);
      word.text += atom.text;
      word.tokens += atom.tokens;
    } else {
      if (word) yield word;
      const boundary = cjkSentenceEnd.test(atom.text) ? boundaries.sentence : boundaries.none;
      word = { text: atom.text, tokens: atom.tokens, boundary };
    }
  }
  if (word) yield word;
}

function classifySpace(before: string, space: string): Boundary {
  const lineFeeds = space.split('\n').length - 1;
  if (lineFeeds > 1) return boundaries.paragraph;
  if (lineFeeds === 1) return boundaries.line;
  return sentenceEnd.test(before) ? boundaries.sentence : boundaries.word;
}

const sumTokens = (words: readonly Word[]) => words.reduce((total, word) => total + word.tokens, 0);

const joinWords = (words: readonly Word[]): Part => ({
  text: words
    .map((word) => word.text)
    .join('')
    .trim(),
  tokenCount: sumTokens(words),
});

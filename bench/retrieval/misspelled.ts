import type { Embedder } from '../../adapters/embedding/embedder.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { buildBot } from '../support/bench-bot.ts';
import { percentile, roundTo, type Figure } from '../support/figure.ts';
import { indexPages } from './index-pages.ts';
import { createSources } from './sources.ts';
import { readAskedQuestions, readParagraphs } from './xquad.ts';

/** Minimum length in letters of a word that the bench misspells. */
const MIN_LETTERS = 6;
/** Maximum number of words of a question that the bench misspells. */
const MISSPELLED_WORDS = 2;
const QUESTIONS = 120;

/**
 * Typing errors, which the bench uses in turn: swapped letters, a missing letter, a doubled letter, and a
 * wrong letter.
 */
const errors: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word[at + 1]! + word[at]! + word.slice(at + 2),
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word[at]! + word.slice(at),
  (word, at) => word.slice(0, at) + (word[at] === 'e' ? 'r' : 'e') + word.slice(at + 1),
];

/**
 * Measures the search by words for questions whose longest two words are misspelled, and for the same
 * questions, spelled correctly. The same questions about paragraphs that the bot does not have show whether
 * corrections find too much.
 */
export async function benchMisspelled(scope: OrgScope, embedder: Embedder): Promise<Figure[]> {
  const botId = await buildBot(scope);
  const paragraphs = readParagraphs();
  const articles = [...new Set(paragraphs.map(({ article }) => article))];
  const known = paragraphs.filter(({ article }) => articles.indexOf(article) % 2 === 0);
  const pages = known.map(({ id, article, text }) => ({
    id,
    bytes: Buffer.from(`# ${article.replaceAll('_', ' ')}\n\n${text}\n`),
  }));
  const pageByDocument = await indexPages(scope, botId, pages, 'text/markdown');
  await scope.db.sql('ANALYZE chunks, search_terms');
  const ids = new Set(known.map(({ id }) => id));
  const asked = readAskedQuestions('en');
  const answerable = asked.filter(({ paragraph }) => ids.has(paragraph)).slice(0, QUESTIONS);
  const foreign = asked.filter(({ paragraph }) => !ids.has(paragraph)).slice(0, QUESTIONS);
  const { search } = createSources(scope, botId, embedder).find(({ name }) => name === 'text')!;
  const figures: Figure[] = [];
  for (const [spelling, spell] of [
    ['right spelling', (question: string) => question],
    ['misspelled', misspell],
  ] as const) {
    const durations: number[] = [];
    const find = async (question: string, isStrict: boolean) => {
      const startedAt = performance.now();
      const hits = await search(question, isStrict);
      durations.push(performance.now() - startedAt);
      return [...new Set(hits.map(({ documentId }) => pageByDocument.get(documentId)!))];
    };
    let first = 0;
    let amongThree = 0;
    let refused = 0;
    for (const [index, { question, paragraph }] of answerable.entries()) {
      const found = await find(spell(question, index), true);
      first += Number(found[0] === paragraph);
      amongThree += Number(found.slice(0, 3).includes(paragraph));
    }
    for (const [index, { question }] of foreign.entries())
      refused += Number((await find(spell(question, index), true)).length === 0);
    const addFigure = (name: string, value: number, note?: string) =>
      figures.push({
        bench: 'retrieval',
        figure: `words, ${spelling}: ${name}`,
        value: roundTo(value, 3),
        unit: 'of 1',
        ...(note !== undefined && { note }),
      });
    addFigure(
      'hit@1 of a strict bot',
      first / answerable.length,
      `hit@3 ${roundTo(amongThree / answerable.length, 3)}; p50 ${roundTo(percentile(durations, 0.5), 1)} ms, p95 ${roundTo(percentile(durations, 0.95), 1)} ms`,
    );
    addFigure('refused without an answer', refused / foreign.length);
  }
  return figures;
}

/** Misspells the longest words of a question. The position of the error depends on the question's index. */
function misspell(question: string, index: number): string {
  const words = question.match(/(?<!\p{L})\p{Ll}+(?!\p{L})/gu) ?? [];
  const longest = [...new Set(words)]
    .filter(({ length }) => length >= MIN_LETTERS)
    .sort((a, b) => b.length - a.length)
    .slice(0, MISSPELLED_WORDS);
  return longest.reduce((text, word, place) => {
    const error = errors[(index + place) % errors.length]!;
    const at = 1 + ((index + place) % (word.length - 3));
    return text.replace(word, error(word, at));
  }, question);
}

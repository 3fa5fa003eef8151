import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roundTo, type Figure } from '../support/figure.ts';
import { readWithPython } from './anchors.ts';
import type { DocumentReading } from './read-document.ts';
import { mean, scoreWords } from './word-scores.ts';

interface Article {
  file: string;
  /** Texts that belong to the article of a test page. */
  with: string[];
  /** Texts around the article of a test page, such as comments and teasers. */
  without: string[];
}

const MIN_RECALL = 0.94;
const MIN_F1 = 0.92;
const MIN_PAGE_F1 = 0.93;

/**
 * Measures how well Parley extracts articles from the test pages of the Python package trafilatura: counts
 * the expected texts that occur in the result.
 */
export async function benchArticles(folder: string, reading: DocumentReading): Promise<Figure[]> {
  const root = join(folder, 'tests');
  if (!existsSync(join(root, 'evaldata.json'))) return [];
  const articles = Object.values(
    JSON.parse(readFileSync(join(root, 'evaldata.json'), 'utf8')) as Record<string, Article>,
  ).toSorted((a, b) => (a.file < b.file ? -1 : 1));
  const paths = articles.map(({ file }) =>
    existsSync(join(root, 'cache', file)) ? join(root, 'cache', file) : join(root, 'eval', file),
  );
  const texts: string[] = [];
  for (const path of paths) texts.push((await reading.read(path)).text);
  const anchor = readWithPython<string>('trafilatura', paths);
  const anchors = anchor && paths.map((path) => anchor.get(path) ?? '');
  return ['even', 'odd'].flatMap((half, parity) => {
    const inHalf = (_: unknown, index: number) => index % 2 === parity;
    const own = scoreArticles(articles.filter(inHalf), texts.filter(inHalf));
    const other = anchors && scoreArticles(articles.filter(inHalf), anchors.filter(inHalf));
    const figure = (name: 'precision' | 'recall' | 'f1', min?: number): Figure => ({
      bench: 'corpora',
      figure: `articles, ${half} pages: ${name}`,
      value: roundTo(own[name], 4),
      unit: '',
      ...(other && { baseline: roundTo(other[name], 4) }),
      ...(min !== undefined && { target: `≥ ${min}`, ok: own[name] >= min }),
    });
    return [figure('precision'), figure('recall', MIN_RECALL), figure('f1', MIN_F1)];
  });
}

function scoreArticles(articles: readonly Article[], texts: readonly string[]) {
  let [hits, wrong, missed] = [0, 0, 0];
  for (const [index, article] of articles.entries()) {
    const text = collapseSpace(texts[index] ?? '');
    const read = article.with.filter((part) => text.includes(collapseSpace(part))).length;
    hits += read;
    missed += article.with.length - read;
    wrong += article.without.filter((part) => text.includes(collapseSpace(part))).length;
  }
  return {
    precision: hits / (hits + wrong),
    recall: hits / (hits + missed),
    f1: (2 * hits) / (2 * hits + wrong + missed),
  };
}

/**
 * Measures how well the words that Parley extracts match the expected words, on the test pages of Mozilla
 * Readability.
 */
export async function benchPages(folder: string, reading: DocumentReading): Promise<Figure[]> {
  const root = join(folder, 'test/test-pages');
  if (!existsSync(root)) return [];
  const scores: number[] = [];
  for (const name of readdirSync(root)) {
    const { text } = await reading.read(join(root, name, 'source.html'), 'text/html; charset=utf-8');
    const expected = readFileSync(join(root, name, 'expected.html'), 'utf8');
    scores.push(scoreWords(text, removeTags(expected)).f1);
  }
  const value = roundTo(mean(scores), 4);
  return [
    {
      bench: 'corpora',
      figure: 'pages of Readability: f1 of words',
      value,
      unit: '',
      target: `≥ ${MIN_PAGE_F1}`,
      ok: value >= MIN_PAGE_F1,
    },
  ];
}

function removeTags(html: string): string {
  return html
    .replaceAll(/<(script|style|svg|object|iframe|noscript|button|select)\b[\s\S]*?<\/\1>/gi, ' ')
    .replaceAll(
      /<\/?(p|div|h[1-6]|li|[uo]l|t[dhr]|table|br|section|article|fig\w+|blockquote|pre|d[dlt]|hr)\b[^>]*>/gi,
      ' ',
    )
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function collapseSpace(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

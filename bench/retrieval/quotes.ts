import { readdirSync, readFileSync } from 'node:fs';
import type { Embedder } from '../../adapters/embedding/embedder.ts';
import { findQuotes } from '../../core/answers/passage-quotes.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { toPassages } from '../../services/conversations/answering/passages-for-model.ts';
import { buildBot } from '../support/bench-bot.ts';
import { percentile, roundTo, type Figure } from '../support/figure.ts';
import { indexPages } from './index-pages.ts';
import { indexVectors } from './index-vectors.ts';
import { createSources } from './sources.ts';

const PASSAGES = 6;
/** MIME types of the documents, by their file extensions. */
const mimeTypes: Record<string, string> = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  html: 'text/html',
  md: 'text/markdown',
  pdf: 'application/pdf',
};

/**
 * Measures whether the quotes of documents in the answers to 60 questions begin with the right sentence or
 * table row. The questions are about the documents of the demo and the pages of `pages/`, which have tables,
 * lists and headings.
 */
export async function benchQuotes(scope: OrgScope, embedder: Embedder): Promise<Figure[]> {
  const botId = await buildBot(scope);
  for (const folder of ['../../demo/documents/', 'pages/'])
    for (const name of readdirSync(new URL(folder, import.meta.url))) {
      const mimeType = mimeTypes[name.split('.').at(-1)!];
      if (!mimeType || name === 'README.md') continue;
      const bytes = readFileSync(new URL(folder + name, import.meta.url));
      await indexPages(scope, botId, [{ id: name, bytes }], mimeType);
    }
  await indexVectors(scope, embedder);
  const text = readFileSync(new URL('quotes.json', import.meta.url), 'utf8');
  const questions = JSON.parse(text) as [question: string, quote: string][];
  const figures: Figure[] = [];
  for (const { name, search } of createSources(scope, botId, embedder)) {
    if (name === 'vectors') continue;
    const missed: string[] = [];
    const durations: number[] = [];
    for (const [question, quote] of questions) {
      const hits = (await search(question, true)).slice(0, PASSAGES);
      const startedAt = performance.now();
      const [best] = await findQuotes(question, toPassages(hits), true);
      durations.push(performance.now() - startedAt);
      const unit = best?.units.find(({ kind }) => kind !== 'heading');
      if (!unit?.text.includes(quote))
        missed.push(`${question} → ${unit?.text.slice(0, 60) ?? (hits.length > 0 ? 'no quote' : 'refused')}`);
    }
    const share = roundTo(1 - missed.length / questions.length, 3);
    figures.push({
      bench: 'retrieval',
      figure: `${name}: right sentence or row first, of ${questions.length} questions`,
      value: share,
      unit: 'of 1',
      target: '≥ 0.9',
      ok: share >= 0.9,
      note: `quotes take ${roundTo(percentile(durations, 0.95), 1)} ms (p95); missed: ${missed.join(' / ') || 'none'}`,
    });
  }
  return figures;
}

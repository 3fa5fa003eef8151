import { writeFileSync } from 'node:fs';
import { newId } from '../core/ids.ts';
import type { Embedder } from '../adapters/embedding/embedder.ts';
import type { OrgScope } from '../database/org-scope.ts';
import { Database } from '../database/database.ts';
import { createDataSource } from '../entities/data-source.ts';
import { indexVectors, openEmbedder } from './retrieval/index-vectors.ts';
import { readPages } from './retrieval/corpus.ts';
import { benchAnswers } from './retrieval/answers.ts';
import { benchLanguages } from './retrieval/languages.ts';
import { benchMisspelled } from './retrieval/misspelled.ts';
import { benchQuotes } from './retrieval/quotes.ts';
import { createSources } from './retrieval/sources.ts';
import { indexPages } from './retrieval/index-pages.ts';
import { checkLabels, readQuestions } from './retrieval/questions.ts';
import { findRank, computeScores, type SearchedQuestion } from './retrieval/score.ts';
import { buildBot } from './support/bench-bot.ts';
import type { Figure } from './support/figure.ts';
import type { Installation } from './support/installation.ts';

type RetrievalBench = (scope: OrgScope, embedder: Embedder) => Promise<Figure[]>;

/** Benches of document retrieval by name, each in a separate workspace. */
const benches: Record<string, RetrievalBench> = {
  manuals: benchManuals,
  languages: (scope, embedder) =>
    benchLanguages(
      scope,
      embedder,
      readQuestions().map(({ question }) => question),
    ),
  answers: benchAnswers,
  misspelled: benchMisspelled,
  quotes: benchQuotes,
};

/** Retrieval benches by their names in `npm run bench`. The word `retrieval` selects all of them. */
export const retrievalBenches = Object.fromEntries(
  Object.entries(benches).map(([name, bench]) => [
    `retrieval/${name}`,
    (installation: Installation) => runBench(installation, bench),
  ]),
);

async function runBench({ databaseUrl }: Installation, bench: RetrievalBench): Promise<Figure[]> {
  const embedder = await openEmbedder();
  const dataSource = await createDataSource({ databaseUrl, databasePool: 4 }).initialize();
  const scope = { orgId: newId(), db: new Database(dataSource) };
  try {
    return await bench(scope, embedder);
  } finally {
    await scope.db.sql('DELETE FROM chunks WHERE org_id = $1', [scope.orgId]);
    await scope.db.sql('DELETE FROM orgs WHERE id = $1', [scope.orgId]);
    await dataSource.destroy();
    await embedder.close();
  }
}

/** Measures how often each kind of search finds the right page of real manuals. */
async function benchManuals(scope: OrgScope, embedder: Embedder): Promise<Figure[]> {
  const pages = readPages();
  const questions = readQuestions();
  checkLabels(questions, pages);
  const botId = await buildBot(scope);
  const pageByDocument = await indexPages(scope, botId, pages);
  await indexVectors(scope, embedder);
  await scope.db.sql('ANALYZE chunks, search_terms, chunk_vectors');
  const figures: Figure[] = [];
  for (const source of createSources(scope, botId, embedder)) {
    const searched: SearchedQuestion[] = [];
    for (const question of questions) {
      const hits = await source.search(question.question, false);
      const strict = await source.search(question.question, true);
      const found = [...new Set(hits.map(({ documentId }) => pageByDocument.get(documentId)!))];
      searched.push({ question, found, isRefusedStrictly: strict.length === 0 });
    }
    listMisses(source.name, searched);
    for (const half of ['tune', 'held-back'] as const) {
      const part = searched.filter(({ question }) => question.half === half);
      figures.push(...computeScores(source.name, half, part));
    }
  }
  return figures;
}

/**
 * Appends each question of the tuning half whose page a search did not rank first to the file that
 * `BENCH_MISSES` names.
 */
function listMisses(source: string, searched: readonly SearchedQuestion[]): void {
  const file = process.env['BENCH_MISSES'];
  if (!file) return;
  const missed = searched
    .filter(({ question }) => question.half === 'tune')
    .filter((row) => (row.question.kind === 'unanswered' ? row.found.length > 0 : findRank(row) !== 1))
    .map((row) => ({ source, rank: findRank(row), ...row.question, found: row.found.slice(0, 3) }));
  writeFileSync(file, `${missed.map((miss) => JSON.stringify(miss)).join('\n')}\n`, { flag: 'a' });
}

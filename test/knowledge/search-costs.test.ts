import assert from 'node:assert/strict';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ChunkSearchRepository } from '../../repositories/knowledge/chunk-search.repository.ts';
import { FullTextSearch, prepareQuestion } from '../../services/knowledge/search/full-text-search.ts';
import { assertCpuBelow } from '../support/cost.ts';
import { KnowledgeBench } from './search-support.ts';

const german =
  'Die Fahrräder stehen am Hafen und können jeden Tag ausgeliehen werden. Bitte bringen Sie einen Ausweis mit.';

describe('a knowledge search', () => {
  let bench: KnowledgeBench;
  let scope: OrgScope;
  before(async () => {
    bench = await KnowledgeBench.open();
    scope = await bench.buildOrg();
  });
  after(() => bench.close());

  /** Adds search terms to a German bot's index that all begin with `aaaa`. */
  async function buildLargeVocabulary(searchConfig: string, terms: number): Promise<string> {
    const botId = await bench.buildBot(scope);
    await bench.addDocument(scope, botId, german);
    await bench.database.sql(
      `INSERT INTO search_terms (bot_id, search_config, lexeme, chunk_count)
       SELECT $1, $2, 'aaaa' || translate(number::text, '0123456789', 'bcdfghjklm'), 1 FROM generate_series(100000, 99999 + $3::int) AS number`,
      [botId, searchConfig, terms],
    );
    return botId;
  }

  const readTerms = `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'search_terms'`;

  const readScans = `SELECT idx_scan::int AS scans FROM pg_stat_xact_user_tables WHERE relname = 'search_terms'`;

  /** Returns how many rows of the table of search terms a search reads. */
  const countReadTerms = (botId: string, query: string) =>
    inTransaction(scope, async (tx) => {
      await new FullTextSearch().find(tx, botId, { query, limit: 6 });
      const [read] = await tx.db.sql<{ rows: number }>(readTerms);
      return read!.rows;
    });

  const unknownWords = Array.from(
    { length: 140 },
    (_, index) => `aaaa${index % 10}${String.fromCharCode(97 + index / 10)}`,
  ).join(' ');

  for (const searchConfig of ['german', 'french'])
    it(`reads fewer than 10,000 rows for 140 unknown words with the same beginning as 20,000 ${searchConfig} terms`, async () => {
      const botId = await buildLargeVocabulary(searchConfig, 20_000);
      const rows = await countReadTerms(botId, unknownWords);
      assert.ok(rows > 0 && rows < 10_000, `${rows} rows`);
    });

  /** Returns a question of 20,000 different Chinese characters. */
  const buildChineseQuestion = (first: number) =>
    Array.from({ length: 20_000 }, (_, at) =>
      String.fromCodePoint(0x4e00 + ((at * 31 + first) % 20_000)),
    ).join('');

  it('looks up each pair of the first 1,000 ideographs of a question once', async () => {
    const botId = await bench.buildBot(scope);
    await bench.addDocument(scope, botId, '自転車の貸出料金は一日十二ユーロです。');
    const scans = await inTransaction(scope, async (tx) => {
      await new FullTextSearch().find(tx, botId, { query: buildChineseQuestion(0), limit: 6 });
      const [read] = await tx.db.sql<{ scans: number }>(readScans);
      return read!.scans;
    });
    assert.ok(scans > 900 && scans < 1500, `${scans} scans`);
  });

  it('prepares a question of 20,000 ideographs in less than 30 ms', () => {
    prepareQuestion(buildChineseQuestion(0));
    const questions = [1, 2, 3, 4, 5].map(buildChineseQuestion);
    assertCpuBelow(30, () => prepareQuestion(questions.pop()!));
  });

  it('replaces an unknown word with one of the 200 nearest terms if 2,000 terms have the same beginning', async () => {
    const botId = await buildLargeVocabulary('german', 2000);
    const [found] = await inTransaction(scope, (tx) =>
      new ChunkSearchRepository().readQuestion(tx, botId, { simple: '', stemmed: 'aaaacbx', names: '' }),
    );
    assert.equal(found?.lexeme, 'aaaacbclbb');
  });
});

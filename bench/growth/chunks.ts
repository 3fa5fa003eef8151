import { withTable } from './copies.ts';
import type { Dimension, GrowthScene } from './dimension.ts';
import { CHUNKS_OF_A_DOCUMENT, indexTexts, INDEXED } from './texts.ts';

const PART = 50_000;

/** Passages of one bot: real ones first, then copies of them in documents of their own. */
export const chunks: Dimension = {
  name: 'passages of one bot',
  sizes: [INDEXED, 100_000, 1_000_000],
  probes: [],
  grow: async (scene, from, to) => {
    if (from === 0) await indexTexts(scene, INDEXED);
    for (let at = Math.max(from, INDEXED); at < to; at += PART) await copy(scene, Math.min(PART, to - at));
    await scene.db.sql('VACUUM ANALYZE chunks, search_terms, documents');
  },
};

/** Multiplies what is there; the vocabulary stays, and each of its words is in as large a share of the passages. */
async function copy({ db, workspace: { botId } }: GrowthScene, count: number): Promise<void> {
  const query = `
    SELECT id AS original_id, uuidv7() AS id FROM documents, generate_series(1, ${count / INDEXED}) WHERE id IN (
      SELECT id FROM documents WHERE bot_id = $1 ORDER BY id LIMIT ${INDEXED / CHUNKS_OF_A_DOCUMENT})`;
  await withTable(db, { query, parameters: [botId] }, async (table) => {
    await db.sql(
      `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', g.id))).*
       FROM ${table} g JOIN documents d ON d.id = g.original_id`,
    );
    await db.sql(
      `INSERT INTO chunks (id, org_id, bot_id, document_id, position, headings, text, token_count, search_config, search)
       SELECT uuidv7(), org_id, bot_id, g.id, position, headings, text, token_count, search_config, search
       FROM ${table} g JOIN chunks c ON c.document_id = g.original_id`,
    );
  });
  await db.sql(
    `UPDATE search_terms SET chunk_count = search_terms.chunk_count * (total.chunk_count + $2)::float8 / total.chunk_count
     FROM search_terms total
     WHERE search_terms.bot_id = $1 AND total.bot_id = $1 AND total.lexeme = '' AND total.search_config = search_terms.search_config`,
    [botId, count],
  );
}

import { withoutIndexes, withoutTriggers } from './bulk-load.ts';
import { withTable } from './copies.ts';
import type { Dimension, GrowthScene } from './dimension.ts';
import { CHUNKS_PER_DOCUMENT, indexTexts, INDEXED } from './texts.ts';

const PART = 90_000;

/** Dimension “passages of one bot”: first passages of indexed documents, then copies of them in separate documents. */
export const chunks: Dimension = {
  name: 'passages of one bot',
  sizes: [INDEXED, 100_000, 1_000_000],
  probes: [],
  grow: async (scene, from, to) => {
    const { db, workspace } = scene;
    if (from === 0) await indexTexts(scene, INDEXED);
    const query = `SELECT * FROM chunks WHERE document_id IN (
      SELECT id FROM documents WHERE bot_id = $1 ORDER BY id LIMIT ${INDEXED / CHUNKS_PER_DOCUMENT})`;
    if (to > INDEXED)
      await withTable(db, { query, parameters: [workspace.botId] }, (originals) =>
        withoutIndexes(db, ['chunks'], () =>
          withoutTriggers(db, async () => {
            for (let at = Math.max(from, INDEXED); at < to; at += PART)
              await copy(scene, originals, Math.min(PART, to - at));
          }),
        ),
      );
    await db.sql('VACUUM ANALYZE chunks, search_terms, documents');
  },
};

/**
 * Inserts copies of the indexed passages. The vocabulary stays the same, and so does each word's share of the
 * passages.
 */
async function copy(
  { db, workspace: { botId } }: GrowthScene,
  originals: string,
  count: number,
): Promise<void> {
  const query = `
    SELECT document_id AS original_id, uuidv7() AS id
    FROM (SELECT DISTINCT document_id FROM ${originals}) o, generate_series(1, ${count / INDEXED})`;
  await withTable(db, { query }, async (table) => {
    await db.sql(
      `INSERT INTO documents SELECT (jsonb_populate_record(d, jsonb_build_object('id', g.id))).*
       FROM ${table} g JOIN documents d ON d.id = g.original_id`,
    );
    await db.sql(
      `INSERT INTO chunks (id, org_id, bot_id, document_id, position, headings, text, token_count, search_config, search)
       SELECT uuidv7(), org_id, bot_id, g.id, position, headings, text, token_count, search_config, search
       FROM ${table} g JOIN ${originals} c ON c.document_id = g.original_id`,
    );
  });
  await db.sql(
    `UPDATE search_terms SET chunk_count = search_terms.chunk_count * (total.chunk_count + $2)::float8 / total.chunk_count
     FROM search_terms total
     WHERE search_terms.bot_id = $1 AND total.bot_id = $1 AND total.lexeme = '' AND total.search_config = search_terms.search_config`,
    [botId, count],
  );
}

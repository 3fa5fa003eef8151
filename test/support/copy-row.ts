import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.ts';

/**
 * Adds rows like the one with this id, in whichever table it is, each so many milliseconds older by the time of the
 * column; returns their ids. A text that may not occur twice becomes the id.
 */
export async function copyRow(
  database: Database,
  id: string,
  agesMs: number[],
  column = 'created_at',
): Promise<string[]> {
  const table = await tableOf(database, id);
  const copies = agesMs.map((ageMs) => ({ id: randomUUID(), age_ms: ageMs }));
  const unique = (await uniqueTexts(database, table)).map((name) => `, '${name}', copy.id`);
  await database.sql(
    `INSERT INTO "${table}" SELECT (jsonb_populate_record(original, jsonb_build_object(
         'id', copy.id,
         '${column}', original."${column}" - copy.age_ms * interval '1 ms'
         ${unique.join('')}))).*
     FROM "${table}" original, jsonb_to_recordset($2) AS copy(id uuid, age_ms integer)
     WHERE original.id = $1`,
    [id, JSON.stringify(copies)],
  );
  return copies.map((copy) => copy.id);
}

/** Removes the row with this id, in whichever table it is. */
export async function removeRow(database: Database, id: string): Promise<void> {
  await database.sql(`DELETE FROM "${await tableOf(database, id)}" WHERE id = $1`, [id]);
}

async function tableOf(database: Database, id: string): Promise<string> {
  const tables = await database.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'uuid'`,
  );
  for (const { name } of tables) {
    if ((await database.sql(`SELECT FROM "${name}" WHERE id = $1`, [id])).length > 0) return name;
  }
  throw new Error(`No table has a row with the id ${id}.`);
}

async function uniqueTexts(database: Database, table: string): Promise<string[]> {
  const columns = await database.sql<{ name: string }>(
    `SELECT DISTINCT a.attname AS name
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisunique AND a.atttypid = 'text'::regtype`,
    [table],
  );
  return columns.map(({ name }) => name);
}

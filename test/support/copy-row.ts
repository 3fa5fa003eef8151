import { randomUUID } from 'node:crypto';
import type { Database } from '../../database/database.ts';

/** Database table of each known row, by row id. Finding an unknown row takes a statement for each table. */
const tables = new Map<string, string>();

/**
 * Copies the database row with this id once for each age; returns the ids of the copies. Finds the table by
 * itself. Texts with a unique index become the copy's id. Rows to which only one row may refer are copied as
 * well.
 * @param agesMs milliseconds by which each copy's `column` is older than the original's
 */
export async function copyRow(
  database: Database,
  id: string,
  agesMs: number[],
  column = 'created_at',
): Promise<string[]> {
  const table = await findTable(database, id);
  const ids = agesMs.map(() => randomUUID());
  for (const copy of ids) tables.set(copy, table);
  const copies = agesMs.map((ageMs, index): Record<string, unknown> => ({ id: ids[index], age_ms: ageMs }));
  const texts = (await findUniqueColumns(database, table, 'text')).map((name) => `, '${name}', copy.id`);
  const references = await findUniqueColumns(database, table, 'uuid');
  for (const name of references) {
    const [row] = await database.sql<{ target: string | null }>(
      `SELECT "${name}" AS target FROM "${table}" WHERE id = $1`,
      [id],
    );
    if (!row?.target) continue;
    const targets = await copyRow(database, row.target, agesMs);
    for (const [index, copy] of copies.entries()) copy[name] = targets[index];
  }
  const unique = [...texts, ...references.map((name) => `, '${name}', copy."${name}"`)];
  const columns = ['id uuid', 'age_ms integer', ...references.map((name) => `"${name}" uuid`)];
  await database.sql(
    `INSERT INTO "${table}" SELECT (jsonb_populate_record(original, jsonb_build_object(
         'id', copy.id,
         '${column}', original."${column}" - copy.age_ms * interval '1 ms'
         ${unique.join('')}))).*
     FROM "${table}" original, jsonb_to_recordset($2) AS copy(${columns.join()})
     WHERE original.id = $1`,
    [id, JSON.stringify(copies)],
  );
  return ids;
}

/** Deletes the database rows with these ids, which are all in one table. */
export async function removeRows(database: Database, ids: string[]): Promise<void> {
  const [first] = ids;
  if (first === undefined) return;
  await database.sql(`DELETE FROM "${await findTable(database, first)}" WHERE id = ANY($1)`, [ids]);
}

async function findTable(database: Database, id: string): Promise<string> {
  const known = tables.get(id);
  if (known !== undefined) return known;
  const all = await database.sql<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'id' AND data_type = 'uuid'`,
  );
  for (const { name } of all) {
    if ((await database.sql(`SELECT FROM "${name}" WHERE id = $1`, [id])).length === 0) continue;
    tables.set(id, name);
    return name;
  }
  throw new Error(`No table has a row with the id ${id}.`);
}

/** Finds the text columns of unique indexes, or the columns of references that each have a unique index. */
async function findUniqueColumns(
  database: Database,
  table: string,
  type: 'text' | 'uuid',
): Promise<string[]> {
  const columns = await database.sql<{ name: string }>(
    `SELECT DISTINCT a.attname AS name
     FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
     WHERE i.indrelid = $1::regclass AND i.indisunique AND a.atttypid = $2::text::regtype
       AND ($2::text = 'text' OR (i.indnkeyatts = 1 AND NOT i.indisprimary))`,
    [table, type],
  );
  return columns.map(({ name }) => name);
}

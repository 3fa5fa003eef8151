/**
 * A statement that copies rows of a table, once for each row of `times`.
 * @param where which rows
 * @param times a FROM item
 * @param changed SQL of the columns that differ
 */
export function copiesOf(
  table: string,
  where: string,
  times: string,
  changed: Record<string, string>,
): string {
  const changes = Object.entries(changed).map(([column, value]) => `'${column}', ${value}`);
  return `INSERT INTO ${table} SELECT (jsonb_populate_record(original, jsonb_build_object(${changes.join(', ')}))).*
    FROM ${table} original CROSS JOIN ${times} WHERE original.${where}`;
}

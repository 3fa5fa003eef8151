import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { operations } from '../../api/registry.ts';
import type { Operation } from '../../api/http/operation.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { readTestTitles } from '../support/test-titles.ts';
import { operationsTable, type TableRow } from './operations-table.ts';

describe('the registry and docs/operations.csv', () => {
  const rows = new Map(operationsTable.map((row) => [row.operationId, row]));
  const ids = operations.map(({ id }) => id);

  it('lists each operation once in the table, and their number in README.md', () => {
    assert.equal(operationsTable.length, rows.size);
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, said] = /The whole API has (\d+) operations/.exec(readme)!;
    assert.equal(Number(said), rows.size);
  });

  it('implements each operation at most once', () => {
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
    const places = operations.map(({ method, path }) => `${method} ${path}`);
    assert.equal(new Set(places).size, places.length);
  });

  it('implements exactly the operations of the table', () => {
    const assertNone = (found: string[], what: string) =>
      assert.ok(found.length === 0, `${found.join(', ')}: ${what}`);
    assertNone(
      ids.filter((id) => !rows.has(id)),
      'give each a row in docs/operations.csv.',
    );
    assertNone(
      [...rows.keys()].filter((id) => !ids.includes(id)),
      'they are in docs/operations.csv, so add their module to api/registry.ts.',
    );
  });

  it('implements no operation without a test title that names it', () => {
    const titles = listSourceFiles(['test'], /\.test\.ts$/).flatMap((file) =>
      readTestTitles(readFileSync(file, 'utf8')),
    );
    const named = new Set(titles.join(' ').match(/\w+/g));
    assert.deepEqual(
      ids.filter((id) => !named.has(id)),
      [],
    );
  });

  for (const operation of operations) {
    it(`${operation.id} matches its row of the table`, () => {
      assert.deepEqual(describeOperation(operation), describeRow(rows.get(operation.id)));
    });
  }
});

function describeRow(row: TableRow | undefined): object {
  assert.ok(row, 'It has no row in docs/operations.csv.');
  const { method, path, tag, required_scope, minimum_role, success_status } = row;
  return { method, path, tag, scope: required_scope, role: minimum_role, status: Number(success_status) };
}

function describeOperation({ method, path, tag, auth, scope, role, success }: Operation): object {
  const isSession = auth === 'session' || auth === 'account';
  const needed = scope ?? (isSession ? 'session' : auth === 'user' ? 'any' : 'none');
  const who = auth === 'public' || auth === 'visitor' ? auth : 'user';
  return { method, path, tag, scope: needed, role: role ?? who, status: success.status };
}

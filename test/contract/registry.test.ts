import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { coreOperations, extensionOperations, operations } from '../../api/registry.ts';
import type { Operation } from '../../api/http/operation.ts';
import { listSourceFiles } from '../support/source-files.ts';
import { readTestTitles } from '../support/test-titles.ts';
import { extensionsTable, operationsTable, type TableRow } from './operations-table.ts';

describe('the registry', () => {
  const ids = operations.map(({ id }) => id);

  it('has the number of operations that README.md states', () => {
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const [, count] = /The API contract has (\d+) operations/.exec(readme)!;
    assert.equal(Number(count), coreOperations.length);
  });

  it('implements each operation at most once', () => {
    assert.deepEqual(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      [],
    );
    const places = operations.map(({ method, path }) => `${method} ${path}`);
    assert.equal(new Set(places).size, places.length);
  });

  it('has extensions only below /api/ext/, except the operation that returns their document', () => {
    const isBelow = ({ path }: Operation) => path.startsWith('/api/ext/');
    assert.deepEqual(
      extensionOperations.filter((operation) => !isBelow(operation)).map(({ id }) => id),
      ['getExtensionsOpenApi'],
    );
    assert.deepEqual(coreOperations.filter(isBelow), []);
  });

  it('implements only operations that are named in a test title', () => {
    const titles = listSourceFiles(['test'], /\.test\.ts$/).flatMap((file) =>
      readTestTitles(readFileSync(file, 'utf8')),
    );
    const named = new Set(titles.join(' ').match(/\w+/g));
    assert.deepEqual(
      ids.filter((id) => !named.has(id)),
      [],
    );
  });
});

for (const { file, table, implemented } of [
  { file: 'docs/operations.csv', table: operationsTable, implemented: coreOperations },
  { file: 'docs/operations-ext.csv', table: extensionsTable, implemented: extensionOperations },
]) {
  describe(`the registry and ${file}`, () => {
    const rows = new Map(table.map((row) => [row.operationId, row]));

    it('have the same operations, each once', () => {
      assert.equal(table.length, rows.size);
      assert.deepEqual([...rows.keys()].sort(), implemented.map(({ id }) => id).sort());
    });

    for (const operation of implemented) {
      it(`agree about ${operation.id}`, () => {
        assert.deepEqual(describeOperation(operation), describeRow(rows.get(operation.id)));
      });
    }
  });
}

function describeRow(row: TableRow | undefined): object {
  assert.ok(row, 'It has no row in the table.');
  const { method, path, tag, required_scope, minimum_role, success_status } = row;
  return { method, path, tag, scope: required_scope, role: minimum_role, status: Number(success_status) };
}

function describeOperation({ method, path, tag, auth, scope, role, success }: Operation): object {
  const isSession = auth === 'session' || auth === 'account';
  const needed = scope ?? (isSession ? 'session' : auth === 'user' ? 'any' : 'none');
  const who = auth === 'public' || auth === 'visitor' ? auth : 'user';
  return { method, path, tag, scope: needed, role: role ?? who, status: success.status };
}

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getMetadataArgsStorage } from 'typeorm';
import { listStatements, type Statement } from '../../database/statement.ts';

/** Maximum number of raw SQL statements in the product; TypeORM generates all others. */
const MAX_STATEMENTS = 141;
const FLOORS = ['activities', 'adapters', 'api', 'core', 'repositories', 'services', 'worker', 'workflows'];

describe('raw SQL', () => {
  let statements: Statement<unknown>[];
  before(async () => {
    for (const file of listSourceFiles(FLOORS).filter((name) => name.endsWith('.sql.ts')))
      await import(pathToFileURL(join('dist', file.replace(/\.ts$/, '.js'))).href);
    statements = listStatements();
    assert.ok(isTenantTable('bots') && !isTenantTable('users'));
  });

  it(`is limited to ${MAX_STATEMENTS} statements`, () => {
    assert.ok(statements.length > 0);
    assert.ok(statements.length <= MAX_STATEMENTS, `There are ${statements.length}.`);
  });

  it('states a reason for each statement', () => {
    for (const { name, because } of statements) assert.match(because, /\w+ \w+.*\.$/, name);
  });

  it('filters by workspace in the table of each tenant, or gives a reason for reading all workspaces', () => {
    const forgotten = statements.filter(
      ({ text, acrossWorkspaces }) =>
        acrossWorkspaces === undefined && !/\borg_id\b/.test(text) && tablesIn(text).some(isTenantTable),
    );
    assert.deepEqual(
      forgotten.map(({ name }) => name),
      [],
    );
  });

  it('gives its reason for reading all workspaces as a sentence', () => {
    const excused = statements.filter(({ acrossWorkspaces }) => acrossWorkspaces !== undefined);
    for (const { name, acrossWorkspaces } of excused) assert.match(acrossWorkspaces!, /\w+ \w+.*\.$/, name);
  });
});

function isTenantTable(table: string): boolean {
  const { tables, columns } = getMetadataArgsStorage();
  const entity = tables.find(({ name }) => name === table)?.target;
  return columns.some(({ target, propertyName }) => target === entity && propertyName === 'orgId');
}

function tablesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+"?([a-z_]+)"?/g)].map(([, table]) => table!);
}

function listSourceFiles(floors: string[]): string[] {
  return floors.flatMap((floor) =>
    readdirSync(floor, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${floor}/${name}`),
  );
}

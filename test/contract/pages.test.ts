import assert from 'node:assert/strict';
import { Not } from 'typeorm';
import type { TSchema } from '@sinclair/typebox';
import type { Operation, ResponseSpec } from '../../api/http/operation.ts';
import { buildExample } from '../../api/http/openapi/schema-example.ts';
import { PageParameters } from '../../api/http/schemas/schemas.ts';
import { operations } from '../../api/registry.ts';
import { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import type { Page } from '../../database/page.ts';
import { copyRow, removeRows } from '../support/copy-row.ts';
import { isInSoak, itInSoak, selectCases } from '../support/it-in-soak.ts';
import {
  buildResources,
  createCaller,
  buildOperationPath,
  type Resources,
} from '../support/operation-calls.ts';
import { startSharedParley, type ApiResponse, type SharedParley } from '../support/parley.ts';

const collections = operations.filter(({ query }) => 'cursor' in listProperties(query));

const SIZES = isInSoak ? [2, 1, 100] : [2, 1];

/** List operations that are not ordered by creation, newest first, but by this column, earliest first. */
const earliestFirst: Record<string, string> = { listInbox: 'handoff_requested_at' };

/** Kind of the resource to which a filter parameter refers, if the name of the parameter does not say it. */
const filterKinds: Record<string, string> = {
  'listWebhookDeliveries id': 'delivery_id',
  'listWebhookDeliveries webhook_id': 'id',
  'listToolInvocations api_key_id': 'key_id',
  'listRequests api_key_id': 'key_id',
};

const EQUAL_PARAMETERS = ' Filters of a list must be equal in each request: compare times with now() in SQL.';

/** Returns the number of test rows for a page size: at least two full pages. */
const rowCountFor = (pageSize: number) => Math.max(2 * pageSize, 12);

describe('pages of collections:', () => {
  let parley: SharedParley;
  let owner: Resources;
  /** Ids of rows that a test has added to a collection. */
  let added: string[] = [];
  before(async () => {
    parley = await startSharedParley();
    owner = await buildResources(parley);
  });
  afterEach(() => removeRows(parley.database, added.splice(0)));

  async function readCollection(
    collection: Operation,
    owner: Resources,
    query: object,
  ): Promise<ApiResponse> {
    const texts = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const path = `${buildOperationPath(collection, owner.ids)}?${new URLSearchParams(texts).toString()}`;
    return createCaller(collection, owner, parley).get(path);
  }

  async function readPage(collection: Operation, owner: Resources, query: object): Promise<Page<Row>> {
    const { status, body } = await readCollection(collection, owner, query);
    const hint = 'cursor' in query ? EQUAL_PARAMETERS : '';
    assert.equal(status, 200, JSON.stringify(body) + hint);
    return body as Page<Row>;
  }

  /**
   * Copies a database row, once for each distance. In the collection's order, the copy is this many
   * milliseconds behind the original.
   */
  async function copyBehind({ id }: Operation, original: string, distancesMs: number[]): Promise<string[]> {
    const column = earliestFirst[id];
    const ages = column ? distancesMs.map((distance) => -distance) : distancesMs;
    const copies = await copyRow(parley.database, original, ages, column);
    added.push(...copies);
    return copies;
  }

  /** Fills the collection with test rows, three of them in each millisecond, and returns the ids in order. */
  async function fillCollection(collection: Operation, owner: Resources, rows: number): Promise<string[]> {
    const { items } = await readPage(collection, owner, { page_size: 100 });
    const last = items.at(-1);
    assert.ok(last, `add a row of ${collection.id} to buildResources in test/support/operation-calls.ts`);
    const distances = Array.from({ length: rows - items.length }, (_, index) => 1 + Math.floor(index / 3));
    const ids = await copyBehind(collection, last.id, distances);
    const copies = ids.map((id, index) => ({ id, distance: distances[index]! }));
    const later = collection.id in earliestFirst ? 1 : -1;
    copies.sort((a, b) => a.distance - b.distance || (a.id < b.id ? -later : later));
    return [...listIds(items), ...copies.map(({ id }) => id)];
  }

  it('all collections have the same parameters and the same response fields', () => {
    const paged = operations.filter(({ success: { spec } }) => isPageSpec(spec));
    assert.deepEqual(paged, collections);
    for (const { id, query } of collections) {
      assert.deepEqual({ ...listProperties(query), ...PageParameters }, listProperties(query), id);
    }
  });

  it('all collections are ordered by timestamps of a precision that cursors preserve', async () => {
    const finer = await parley.database.sql(
      `SELECT table_name, column_name FROM information_schema.columns
       WHERE table_schema = 'public' AND data_type = 'timestamp with time zone' AND datetime_precision > 3`,
    );
    assert.deepEqual(finer, []);
  });

  for (const collection of collections) {
    describe(collection.id, () => {
      if (collection.id === 'listRequests') beforeEach(() => keepOneLoggedRequest(parley, owner));

      for (const [index, pageSize] of SIZES.entries()) {
        const register = index === 0 ? it : itInSoak;
        register(`reads ${pageSize} rows a page by cursor while rows are added`, async () => {
          const rows = rowCountFor(pageSize);
          const ids = await fillCollection(collection, owner, rows);
          const seen: string[] = [];
          let page = await readPage(collection, owner, { page_size: pageSize });
          for (let number = 1; ; number += 1) {
            const { has_more, next_cursor, total, items } = page;
            assert.deepEqual(
              { number: page.page, size: page.page_size, total, isLast: next_cursor === null },
              { number, size: pageSize, total: rows, isLast: !has_more },
            );
            seen.push(...listIds(items));
            if (next_cursor === null) break;
            // Adds a row before the cursor, a row with the cursor's timestamp, and on the first pages a row
            // at the end.
            const distances = [-1, 0, ...(number < 5 ? [3_600_000] : [])];
            const [next] = await Promise.all([
              readPage(collection, owner, { page_size: pageSize, cursor: next_cursor }),
              copyBehind(collection, items.at(-1)!.id, distances),
            ]);
            page = next;
          }
          assert.equal(new Set(seen).size, seen.length);
          const first = new Set(ids);
          assert.deepEqual(
            seen.filter((id) => first.has(id)),
            ids,
          );
        });
      }

      it('returns pages by number with the total, and has_more false on a full last page', async () => {
        const rows = rowCountFor(Math.max(...SIZES));
        const ids = await fillCollection(collection, owner, rows);
        for (const pageSize of SIZES) {
          const last = rows / pageSize;
          for (const page of new Set([1, 2, Math.ceil(last / 2), last, last + 1, 100_000])) {
            const { items, ...rest } = await readPage(collection, owner, { page, page_size: pageSize });
            const { next_cursor, ...facts } = rest;
            const has_more = page < last;
            assert.deepEqual(facts, { total: rows, page, page_size: pageSize, has_more });
            assert.equal(typeof next_cursor, has_more ? 'string' : 'object');
            assert.deepEqual(listIds(items), ids.slice((page - 1) * pageSize, page * pageSize));
          }
        }
      });

      it('continues any page by cursor, even with another page_size, and after the cursor’s row is deleted', async () => {
        const ids = await fillCollection(collection, owner, 12);
        const { items, next_cursor: cursor } = await readPage(collection, owner, { page: 2, page_size: 3 });
        await removeRows(parley.database, [items.at(-1)!.id]);
        const next = await readPage(collection, owner, { page_size: 4, cursor });
        assert.deepEqual([listIds(next.items), next.page, next.has_more], [ids.slice(6, 10), 3, true]);
        const last = await readPage(collection, owner, { page_size: 2, cursor: next.next_cursor });
        assert.deepEqual([listIds(last.items), last.page, last.has_more], [ids.slice(10), 4, false]);
      });
    });
  }

  describe('with a cursor,', () => {
    let foreign: Resources;
    before(async () => {
      foreign = await buildResources(parley);
      for (const collection of collections) {
        for (const each of [owner, foreign]) await fillCollection(collection, each, 3);
      }
      // The following tests share these rows, so `afterEach` must not remove them.
      added = [];
    });

    async function readCursor(collection: Operation, owner: Resources, query: object = {}): Promise<string> {
      const { next_cursor } = await readPage(collection, owner, { page_size: 1, ...query });
      assert.ok(next_cursor);
      return next_cursor;
    }

    async function assertRefused(collection: Operation, owner: Resources, query: object): Promise<void> {
      const { status, problem } = await readCollection(collection, owner, query);
      const fields = problem.details?.map(({ field }: { field: string }) => field);
      assert.deepEqual([status, fields], [422, ['cursor']], JSON.stringify(query));
    }

    // Test a few collections: the same function decodes the cursors of all.
    for (const collection of selectCases(collections, 4))
      it(`${collection.id} refuses an altered, truncated, empty or oversized cursor`, async () => {
        const cursor = await readCursor(collection, owner);
        const [payload, signature] = cursor.split('.') as [string, string];
        const [otherPayload] = (await readCursor(collection, foreign)).split('.') as [string];
        const altered = Array.from(cursor, (character, at) => {
          const other = character === 'A' ? 'B' : 'A';
          return cursor.slice(0, at) + other + cursor.slice(at + 1);
        });
        const spellings = [`${cursor}=`, ` ${cursor}`, `${cursor}.`, `${cursor}.${signature}`, payload];
        for (const wrong of [
          ...altered.filter((_, at) => at % 9 === 0 || at > cursor.length - 3),
          ...spellings,
          `${otherPayload}.${signature}`,
          cursor.slice(1),
          cursor.slice(0, -1),
          '',
          'x',
          'x'.repeat(1001),
        ]) {
          await assertRefused(collection, owner, { cursor: wrong });
        }
      });

    for (const collection of collections) {
      it(`${collection.id} refuses a cursor combined with a page`, async () => {
        await assertRefused(collection, owner, { cursor: await readCursor(collection, owner), page: 1 });
      });

      it(`${collection.id} refuses a cursor of another workspace, collection or filter`, async () => {
        await assertRefused(collection, owner, { cursor: await readCursor(collection, foreign) });
        const others = collections.filter((each) => each !== collection);
        for (const other of isInSoak ? others : others.slice(0, 1)) {
          await assertRefused(collection, owner, { cursor: await readCursor(other, owner) });
        }
        const cursor = await readCursor(collection, owner);
        for (const filter of buildFilters(collection, owner.ids)) {
          await readPage(collection, owner, filter);
          await assertRefused(collection, owner, { ...filter, cursor });
        }
      });

      // Replace the last resource in the path, which contains the collection's rows.
      for (const [, name] of [...collection.path.matchAll(/\{(\w+)\}/g)].slice(-1)) {
        it(`${collection.id} refuses a cursor of another ${name}`, async () => {
          const cursor = await readCursor(collection, owner);
          const [other] = await copyRow(parley.database, owner.ids[name!]!, [1]);
          const sibling = { ...owner, ids: { ...owner.ids, [name!]: other! } };
          assert.deepEqual((await readPage(collection, sibling, {})).items, []);
          await assertRefused(collection, sibling, { cursor });
        });
      }
    }
  });
});

/** Deletes the requests with which other tests have filled the request log, except the oldest one. */
async function keepOneLoggedRequest(
  { runtime, database }: SharedParley,
  { orgId }: Resources,
): Promise<void> {
  await runtime.services.requests.requestLog.flush();
  const rows = database.repository(LoggedRequest);
  const [first] = await rows.find({ where: { orgId }, order: { createdAt: 'ASC', id: 'ASC' }, take: 1 });
  await rows.delete({ orgId, id: Not(first!.id) });
}

interface Row {
  id: string;
}

function isPageSpec(spec: ResponseSpec): boolean {
  return '$id' in spec && String(spec.$id).startsWith('PaginatedResponse');
}

function listIds(rows: Row[]): string[] {
  return rows.map(({ id }) => id);
}

function listProperties(schema: TSchema | undefined): Record<string, TSchema> {
  return (schema?.['properties'] ?? {}) as Record<string, TSchema>;
}

/** Builds query parameters for each filter of the collection alone, with a value that its schema allows. */
function buildFilters({ id, query }: Operation, ids: Resources['ids']): Record<string, unknown>[] {
  return Object.entries(listProperties(query))
    .filter(([name]) => !(name in PageParameters))
    .map(([name, schema]) => ({
      [name]:
        schema['format'] === 'uuid'
          ? ids[filterKinds[`${id} ${name}`] ?? name]
          : buildExample(schema, 'request', name),
    }));
}

import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import type { Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { mapInBatches } from '../support/map-in-batches.ts';
import { KnownFields } from '../support/known-fields.ts';
import {
  buildResources,
  createCaller,
  buildOperationPath,
  fillPath,
  buildOperationRequest,
  buildValidBody,
  type Resources,
} from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildTextCases, type ValidationCase } from '../support/validation-cases.ts';

const MAX_RESPONSE_MS = 5000;

/**
 * Texts that make regular expressions with backtracking try every match. They are repeated up to the field's
 * length, and end with a character that does not match.
 */
const repeated = [
  'a',
  'a@',
  'a.',
  '-.',
  '0 ',
  '+1(',
  ' \t',
  '((',
  '[a](',
  '**',
  'http://a/',
  '%25',
  '\\"',
  'é\u0301',
];
const buildLongTexts = (length: number) => [
  ...repeated.map((text) => toLength(text, length)),
  ...combined.map((text) => text.slice(0, length)),
];
const toLength = (text: string, length: number) =>
  `${text.repeat(Math.ceil(length / text.length)).slice(0, Math.max(length - 1, 0))}!`;

/** Texts with a meaning in SQL, LIKE and full-text search. */
const metacharacters = [
  `' OR '1'='1`,
  `"; DROP TABLE bots; --`,
  `') UNION SELECT id FROM users --`,
  `%`,
  `_`,
  `a%' ESCAPE '`,
  `\\`,
  `\\'; SELECT pg_sleep(5); --`,
  `$1`,
  `{"a": null}`,
  `!:*`,
  `<-> & | ( `,
];

/** Hostile texts, each of which combines several kinds, for cases in which it only matters that nothing fails. */
const combined = [
  `' OR '1'='1"; DROP TABLE bots; -- $1`,
  `\\'; SELECT pg_sleep(5); --`,
  `%_a%' ESCAPE '\\`,
  `!:*<->&|( {"a": null}`,
];

const withTexts = operations.filter(
  ({ body, query, params }) => body !== undefined || query !== undefined || params !== undefined,
);

describe('hostile texts', () => {
  let parley: TestParley;
  let owner: Resources;
  const known = new KnownFields();
  before(async () => {
    parley = await startParley();
    owner = await buildResources(parley);
  });
  after(() => parley.stop());

  async function send(operation: Operation, { part, value }: ValidationCase, to: Resources) {
    const ids = part === 'params' ? { ...to.ids, ...(value as Record<string, string>) } : to.ids;
    const path = part === 'params' ? fillPath(operation.path, ids) : buildOperationPath(operation, ids);
    const query =
      part === 'query' ? `?${new URLSearchParams(value as Record<string, string>).toString()}` : '';
    const startedAt = performance.now();
    const response = await createCaller(operation, to, parley).fetch(
      path + query,
      buildOperationRequest(operation, part === 'body' ? value : undefined),
    );
    const tookMs = performance.now() - startedAt;
    await response.body?.cancel();
    return { status: response.status, tookMs };
  }

  const isFine = ({ status, tookMs }: { status: number; tookMs: number }) =>
    status < 500 && tookMs <= MAX_RESPONSE_MS;

  /**
   * Sends the request with a hostile text alone. One of three responses must be in time, because other
   * programs slow down some attempts.
   */
  async function isFineAlone(operation: Operation, each: ValidationCase, to: Resources): Promise<boolean> {
    for (let times = 0; times < 3; times += 1) if (isFine(await send(operation, each, to))) return true;
    return false;
  }

  for (const operation of withTexts) {
    it(`never make ${operation.id} exceed the time limit or return a server error`, async () => {
      // Create new links and codes for operations of sign-in, because each is valid once.
      const to = operation.tag === 'auth' ? await buildResources(parley, operation) : owner;
      const cases = buildTextCases(operation, buildValidBody(operation), known, buildLongTexts);
      const results = await mapInBatches(cases, 8, async (each) => ({
        each,
        isFine: isFine(await send(operation, each, to)),
      }));
      const wrong: string[] = [];
      for (const { each } of results.filter(({ isFine }) => !isFine))
        if (!(await isFineAlone(operation, each, to)))
          wrong.push(`${each.field} ${JSON.stringify(each.value).slice(0, 80)}`);
      assert.deepEqual(wrong, []);
    });
  }

  for (const { operation, name } of findTextFilters()) {
    it(`with SQL in ${name} of ${operation.id} match only rows that contain them`, async () => {
      const untouched = await buildResources(parley, operation);
      const client = createCaller(operation, untouched, parley);
      for (const text of metacharacters) {
        const query = new URLSearchParams({ [name]: text }).toString();
        const { status, body } = await client.get(`${buildOperationPath(operation, untouched.ids)}?${query}`);
        if (status === 422) continue;
        assert.equal(status, 200);
        for (const row of parseRows(body)) assert.ok(JSON.stringify(row).includes(text), text);
      }
    });
  }
});

/** Returns the query parameters by which list operations filter texts. */
function findTextFilters(): { operation: Operation; name: string }[] {
  return operations
    .filter(({ method, success: { status } }) => method === 'GET' && status === 200)
    .flatMap((operation) => {
      const properties = (operation.query?.['properties'] ?? {}) as Record<string, TSchema>;
      const names = Object.entries(properties).filter(
        ([, { type, enum: values }]) => type === 'string' && !values,
      );
      return names.map(([name]) => ({ operation, name }));
    });
}

function parseRows(body: unknown): unknown[] {
  if (Array.isArray(body)) return body;
  if (typeof body === 'string') return body.trim().split('\r\n').slice(1);
  return (body as { items: unknown[] }).items;
}

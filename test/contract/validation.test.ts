import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { getCheckedSchema, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { inBatches } from '../support/in-batches.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import {
  buildResources,
  callerOf,
  pathOf,
  pathWith,
  requestOf,
  validBody,
  type Resources,
} from '../support/operation-calls.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { snapshot } from '../support/snapshot.ts';
import { oneOfEachKind } from '../support/one-of-each-kind.ts';
import { validationCases, type ValidationCase } from '../support/validation-cases.ts';

/** The code of what is wrong with a field for another reason than its schema, such as a cursor of another list. */
const MEANING = 'invalid';

const cases = oneOfEachKind(operations).map((operation) => ({
  operation,
  ...validationCases(operation, validBody(operation)),
}));

/** Of schemas: what the cases are made from, and what says nothing about values. */
const KEYWORDS = new Set(
  `minLength maxLength minimum maximum minItems maxItems uniqueItems type enum pattern format required properties items
   additionalProperties x-free-form x-max-values $id title description examples default deprecated`.split(
    /\s+/,
  ),
);

describe('validation of the requests', () => {
  let parley: TestParley;
  let model: ModelServer;
  let targets: Resources;
  before(async () => {
    model = await startModelServer({ answer: () => 'Twelve euros.' });
    const env = { PARLEY_MODEL_BASE_URL: model.baseUrl, PARLEY_MODEL: 'gpt-4o-mini' };
    parley = await startParley(env, { hasStoppedClock: true });
    targets = await buildResources(parley);
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function send(operation: Operation, { part, value }: ValidationCase, to: Resources) {
    const path =
      part === 'params'
        ? pathWith(operation.path, { ...to.ids, ...(value as Record<string, string>) })
        : pathOf(operation, to.ids);
    const response = await callerOf(operation, to, parley).fetch(
      path + queryOf(part === 'query' ? value : {}),
      requestOf(operation, part === 'body' ? value : undefined),
    );
    const text = await response.text();
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    return { status: response.status, problem: isProblem ? (JSON.parse(text) as Problem) : null };
  }

  it('knows every rule that the schemas state', () => {
    const unknown = operations.flatMap(({ id, params, query, body }) => {
      const part = getCheckedSchema(body);
      return [params, query, part]
        .flatMap((schema) => keywordsOf(schema))
        .filter((each) => !KEYWORDS.has(each))
        .map((each) => `${id} ${each}`);
    });
    assert.deepEqual(unknown, []);
  });

  describe('beyond the bounds', () => {
    let untouched: Record<string, string>;
    before(async () => {
      untouched = await snapshot(parley.database);
    });

    for (const { operation, refused } of cases.filter((each) => each.refused.length > 0)) {
      it(`${operation.id} refuses ${refused.length} values and names the field`, async () => {
        const wrong = await inBatches(refused, 16, async (each) => {
          const { status, problem } = await send(operation, each, targets);
          const fields = new Set(problem?.details.map(({ field }) => field));
          const isNamed = fields.size === 1 && fields.has(each.field);
          const hasRule = problem?.details.some(({ code }) => code === each.rule);
          return status === 422 && isNamed && hasRule ? null : told(each, status, problem);
        });
        assert.deepEqual(wrong.filter(Boolean), []);
      });
    }

    it('changes nothing', async () => {
      assert.deepEqual(await snapshot(parley.database), untouched);
    });
  });

  describe('at the bounds', () => {
    for (const { operation, accepted } of cases.filter((each) => each.accepted.length > 0)) {
      it(`${operation.id} has no complaint about ${accepted.length} fields`, async () => {
        // What one operation changes is not to matter to the next.
        const own = await buildResources(parley, operation);
        const wrong = await inBatches(accepted, 8, async (each) => {
          const { status, problem } = await send(operation, each, own);
          const isNamed = problem?.details.some(
            ({ field, code }) => field === each.field && code !== MEANING,
          );
          return isNamed || status >= 500 ? told(each, status, problem) : null;
        });
        assert.deepEqual(wrong.filter(Boolean), []);
      });
    }
  });
});

function keywordsOf(schema: TSchema | undefined): string[] {
  if (!schema) return [];
  const inner = [
    ...Object.values((schema['properties'] ?? {}) as Record<string, TSchema>),
    schema['items'] as TSchema | undefined,
  ];
  return [...Object.keys(schema), ...inner.flatMap(keywordsOf)];
}

interface Problem {
  error: { code: string; message: string };
  details: { field: string; code: string; message: string }[];
}

function told({ field, rule, value }: ValidationCase, status: number, problem: Problem | null): string {
  const details = problem?.details.map(({ field: name, code }) => `${name} ${code}`).join(', ');
  const shown = JSON.stringify(value)?.slice(0, 120);
  return `${field} ${rule} ${shown}: ${status} ${problem?.error.message ?? ''} [${details}]`;
}

function queryOf(value: unknown): string {
  const pairs = Object.entries(value as Record<string, unknown>).flatMap(([name, item]) =>
    [item].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

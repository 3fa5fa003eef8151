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

/**
 * Error code of a value that its schema allows but the operation refuses, such as a cursor of
 * another list.
 */
const MEANING = 'invalid';

const cases = oneOfEachKind(operations).map((operation) => ({
  operation,
  ...validationCases(operation, validBody(operation)),
}));

/** Keywords that the cases cover, and keywords that constrain no value. */
const KEYWORDS = new Set(
  `minLength maxLength minimum maximum minItems maxItems uniqueItems type enum pattern format required properties items
   additionalProperties x-free-form x-max-values $id title description examples default deprecated`.split(
    /\s+/,
  ),
);

describe('validation of requests', () => {
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

  async function sendCase(operation: Operation, { part, value }: ValidationCase, to: Resources) {
    const path =
      part === 'params'
        ? pathWith(operation.path, { ...to.ids, ...(value as Record<string, string>) })
        : pathOf(operation, to.ids);
    const response = await callerOf(operation, to, parley).fetch(
      path + buildQuery(part === 'query' ? value : {}),
      requestOf(operation, part === 'body' ? value : undefined),
    );
    const text = await response.text();
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    return { status: response.status, problem: isProblem ? (JSON.parse(text) as Problem) : null };
  }

  it('covers every rule that the schemas declare', () => {
    const unknown = operations.flatMap(({ id, params, query, body }) => {
      const part = getCheckedSchema(body);
      return [params, query, part]
        .flatMap((schema) => listKeywords(schema))
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
          const { status, problem } = await sendCase(operation, each, targets);
          const fields = new Set(problem?.details.map(({ field }) => field));
          const isNamed = fields.size === 1 && fields.has(each.field);
          const hasRule = problem?.details.some(({ code }) => code === each.rule);
          return status === 422 && isNamed && hasRule ? null : describeFailure(each, status, problem);
        });
        assert.deepEqual(wrong.filter(Boolean), []);
      });
    }

    it('changes no data', async () => {
      assert.deepEqual(await snapshot(parley.database), untouched);
    });
  });

  describe('at the bounds', () => {
    for (const { operation, accepted } of cases.filter((each) => each.accepted.length > 0)) {
      it(`${operation.id} accepts the limits of ${accepted.length} fields`, async () => {
        // Own resources, so that the changes of one operation do not affect the next.
        const own = await buildResources(parley, operation);
        const wrong = await inBatches(accepted, 8, async (each) => {
          const { status, problem } = await sendCase(operation, each, own);
          const isNamed = problem?.details.some(
            ({ field, code }) => field === each.field && code !== MEANING,
          );
          return isNamed || status >= 500 ? describeFailure(each, status, problem) : null;
        });
        assert.deepEqual(wrong.filter(Boolean), []);
      });
    }
  });
});

function listKeywords(schema: TSchema | undefined): string[] {
  if (!schema) return [];
  const inner = [
    ...Object.values((schema['properties'] ?? {}) as Record<string, TSchema>),
    schema['items'] as TSchema | undefined,
  ];
  return [...Object.keys(schema), ...inner.flatMap(listKeywords)];
}

interface Problem {
  error: { code: string; message: string };
  details: { field: string; code: string; message: string }[];
}

function describeFailure(
  { field, rule, value }: ValidationCase,
  status: number,
  problem: Problem | null,
): string {
  const details = problem?.details.map(({ field: name, code }) => `${name} ${code}`).join(', ');
  const shown = JSON.stringify(value)?.slice(0, 120);
  return `${field} ${rule} ${shown}: ${status} ${problem?.error.message ?? ''} [${details}]`;
}

function buildQuery(value: unknown): string {
  const pairs = Object.entries(value as Record<string, unknown>).flatMap(([name, item]) =>
    [item].flat().map((each): [string, string] => [name, String(each)]),
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
}

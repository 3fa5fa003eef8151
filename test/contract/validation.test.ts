import assert from 'node:assert/strict';
import type { TSchema } from '@sinclair/typebox';
import { getCheckedSchema, type Operation } from '../../api/http/operation.ts';
import { operations } from '../../api/registry.ts';
import { mapInBatches } from '../support/map-in-batches.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
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
import { readSnapshot } from '../support/snapshot.ts';
import { selectSample } from '../support/select-sample.ts';
import { buildValidationCases, type ValidationCase } from '../support/validation-cases.ts';

/**
 * Error codes for values that the schema allows but the operation refuses, such as a cursor of another list.
 */
const SEMANTIC_CODES = ['invalid', 'url_refused'];

const casesById = new Map(
  operations.map((operation) => [operation.id, buildValidationCases(operation, buildValidBody(operation))]),
);
const countCases = ({ id }: Operation) => {
  const { refused, accepted } = casesById.get(id)!;
  return refused.length + accepted.length;
};
const cases = selectSample(operations, (operation) => 1 + countCases(operation)).map((operation) => ({
  operation,
  ...casesById.get(operation.id)!,
}));

/** JSON Schema keywords that the cases of validation cover, and keywords that constrain no value. */
const KEYWORDS = new Set(
  `minLength maxLength minimum maximum minItems maxItems uniqueItems type enum pattern format required properties items
   additionalProperties x-free-form x-max-values x-single-line $id title description examples default deprecated`.split(
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
        ? fillPath(operation.path, { ...to.ids, ...(value as Record<string, string>) })
        : buildOperationPath(operation, to.ids);
    const response = await createCaller(operation, to, parley).fetch(
      path + buildQuery(part === 'query' ? value : {}),
      buildOperationRequest(operation, part === 'body' ? value : undefined),
    );
    const text = await response.text();
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    return { status: response.status, problem: isProblem ? (JSON.parse(text) as Problem) : null };
  }

  it('is tested for every rule that the schemas declare', () => {
    const unknown = operations.flatMap(({ id, params, query, body }) => {
      const part = getCheckedSchema(body);
      return [params, query, part]
        .flatMap((schema) => listKeywords(schema))
        .filter((each) => !KEYWORDS.has(each))
        .map((each) => `${id} ${each}`);
    });
    assert.deepEqual(unknown, []);
  });

  describe('beyond the bounds:', () => {
    let untouched: Record<string, string>;
    before(async () => {
      untouched = await readSnapshot(parley.database);
    });

    for (const { operation, refused } of cases.filter((each) => each.refused.length > 0)) {
      it(`${operation.id} refuses ${refused.length} values and names the field`, async () => {
        const wrong = await mapInBatches(refused, 16, async (each) => {
          const { status, problem } = await sendCase(operation, each, targets);
          const fields = new Set(problem?.details.map(({ field }) => field));
          const isNamed = fields.size === 1 && fields.has(each.field);
          const hasRule = problem?.details.some(({ code }) => code === each.rule);
          return status === 422 && isNamed && hasRule ? null : describeFailure(each, status, problem);
        });
        assert.deepEqual(wrong.filter(Boolean), []);
      });
    }

    it('no refused value changes data', async () => {
      assert.deepEqual(await readSnapshot(parley.database), untouched);
    });
  });

  describe('at the bounds:', () => {
    for (const { operation, accepted } of cases.filter((each) => each.accepted.length > 0)) {
      it(`${operation.id} accepts the limits of ${accepted.length} fields`, async () => {
        // Each operation has its own resources, so that its changes do not affect the next operation.
        const own = await buildResources(parley, operation);
        const wrong = await mapInBatches(accepted, 8, async (each) => {
          const { status, problem } = await sendCase(operation, each, own);
          const isNamed = problem?.details.some(
            ({ field, code }) => field === each.field && !SEMANTIC_CODES.includes(code),
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

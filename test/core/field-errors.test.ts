import assert from 'node:assert/strict';
import { toFieldErrors } from '../../core/errors/field-errors.ts';
import { MAX_DETAILS } from '../../core/errors/errors.ts';
import { assertCpuBelow } from '../support/cost.ts';

type FieldErrors = Parameters<typeof toFieldErrors>[0];

const fieldNames = Array.from({ length: 40 }, (_, index) => `setting_number_${index}`);
const parentSchema = { properties: Object.fromEntries(fieldNames.map((name) => [name, {}])) };

function buildUnknownKeyErrors(prefix: string): FieldErrors {
  return Array.from({ length: 7800 }, (_, index) => ({
    keyword: 'additionalProperties',
    instancePath: '',
    schemaPath: '',
    params: { additionalProperty: prefix + String(index).padStart(18, 'w') },
    parentSchema,
    data: {},
  }));
}

describe('toFieldErrors', () => {
  const cases: [name: string, prefix: string, expectedErrors: number][] = [
    ['that begin alike', '_'.repeat(101), 1],
    ['that are as long as the known keys', '', MAX_DETAILS + 1],
  ];
  for (const [name, prefix, expectedErrors] of cases)
    it(`takes few milliseconds with thousands of unknown keys ${name}`, () => {
      const errors = buildUnknownKeyErrors(prefix);
      assert.equal(toFieldErrors(errors, 'body', {}).length, expectedErrors);
      assertCpuBelow(20, () => toFieldErrors(errors, 'body', {}));
    });
});

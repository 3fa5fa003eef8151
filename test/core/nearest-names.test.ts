import assert from 'node:assert/strict';
import { findNearestNames } from '../../core/text/nearest-names.ts';

const NAMES = ['name', 'system_prompt', 'welcome_message', 'primary_color', 'border_color', 'is_public'];

describe('findNearestNames', () => {
  const cases: [typed: string, found: string[]][] = [
    ['systemPrompt', ['system_prompt']],
    ['wellcome_mesage', ['welcome_message']],
    ['primary-colour', ['primary_color']],
    ['prompt', ['system_prompt']],
    ['promt', ['system_prompt']],
    ['mesage', ['welcome_message']],
    ['color', ['primary_color', 'border_color']],
    ['namse', ['name']],
    ['surprise', []],
    ['__proto__', []],
    ['a', []],
    ['', []],
    ['x'.repeat(100_000), []],
  ];
  for (const [typed, found] of cases)
    it(`finds ${found.join(' and ') || 'no name'} for ${typed.slice(0, 20) || 'an empty word'}`, () => {
      assert.deepEqual(findNearestNames(typed, NAMES), found);
    });
});

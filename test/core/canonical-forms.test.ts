import assert from 'node:assert/strict';
import { listCanonicalForms } from '../../core/text/canonical-forms.ts';

describe('listCanonicalForms', () => {
  const composed = 'Café';
  const decomposed = 'Cafe\u0301';
  const cases: [what: string, text: string, expected: string[]][] = [
    ['plain text once', 'Cafe', ['Cafe']],
    ['composed text, and decomposed', composed, [composed, decomposed]],
    ['decomposed text, and composed', decomposed, [decomposed, composed]],
    ['mixed text, composed and decomposed', 'e\u0301é', ['e\u0301é', 'éé', 'e\u0301e\u0301']],
    ['Hangul', '한', ['한', '\u1112\u1161\u11ab']],
    ['emoji once', '😊 \u2028', ['😊 \u2028']],
  ];
  for (const [what, text, expected] of cases)
    it(`returns ${what}`, () => assert.deepEqual(listCanonicalForms(text), expected));
});

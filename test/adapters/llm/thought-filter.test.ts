import assert from 'node:assert/strict';
import { ThoughtFilter } from '../../../adapters/llm/thought-filter.ts';

function filterThoughts(pieces: string[]): string {
  const filter = new ThoughtFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('ThoughtFilter', () => {
  for (const [what, text, shown] of [
    ['thoughts before the answer', '<think>\nLet me see.\n</think>\n\nThirty days.', 'Thirty days.'],
    ['thoughts in the answer', 'Thirty <thinking>or more?</thinking>days.', 'Thirty days.'],
    ['thoughts without an opening tag', 'Let me see.</think>\nThirty days.', 'Thirty days.'],
    ['thoughts twice', '<think>a</think><THINK>b</THINK>Thirty days.', 'Thirty days.'],
    ['thoughts without an end', 'Thirty days.<think>and', 'Thirty days.'],
    ['nothing but thoughts', '<think>Thirty days.', ''],
    ['marks that are not tags', 'a < b, <thin> </thinker> <b> <t', 'a < b, <thin> </thinker> <b> <t'],
    ['an answer without thoughts', '\n Thirty days.', '\n Thirty days.'],
  ] as const) {
    it(`returns only the answer of ${what}`, () => assert.equal(filterThoughts([text]), shown));
    if (what !== 'thoughts without an opening tag')
      it(`returns only the answer of ${what}, pushed in single characters`, () =>
        assert.equal(filterThoughts([...text]), shown));
  }

  it('shows text at once that cannot be part of a tag', () => {
    const filter = new ThoughtFilter();
    assert.deepEqual([filter.push('Thirty '), filter.push('<'), filter.push('b')], ['Thirty ', '', '<b']);
  });
});

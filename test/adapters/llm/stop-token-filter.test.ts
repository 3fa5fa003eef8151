import assert from 'node:assert/strict';
import { StopTokenFilter } from '../../../adapters/llm/stop-token-filter.ts';
import { DONE, choice, events, read, say } from './model-stream-support.ts';

function filterTokens(pieces: string[]): string {
  const filter = new StopTokenFilter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

describe('StopTokenFilter', () => {
  for (const [text, shown] of [
    ['Thirty days.<|im_end|>', 'Thirty days.'],
    ['Thirty days.</s>', 'Thirty days.'],
    ['Thirty days.<|eot_id|><|end_of_text|>\n', 'Thirty days.'],
    ['Thirty days.<end_of_turn>\n', 'Thirty days.'],
    ['Write `<|im_end|>` at the end.', 'Write `<|im_end|>` at the end.'],
    ['a < b, </span> and <|', 'a < b, </span> and <|'],
    ['Thirty days.<end', 'Thirty days.<end'],
    ['<b>Thirty</b>', '<b>Thirty</b>'],
  ] as const)
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(shown)}, however the stream is split`, () => {
      assert.deepEqual([filterTokens([text]), filterTokens([...text])], [shown, shown]);
    });

  it('shows text at once that cannot be part of a token', () => {
    const filter = new StopTokenFilter();
    assert.deepEqual([filter.push('Thirty '), filter.push('<'), filter.push('b')], ['Thirty ', '', '<b']);
  });
});

describe('a model’s stream with stop tokens as text', () => {
  it('ends before them, and fails if it has no other text', async () => {
    const { text, failure } = await read(
      events(say('Hello world'), say('<|im_'), say('end|>'), choice({}, 'stop'), DONE),
    );
    assert.deepEqual([text, failure], ['Hello world', null]);
    assert.equal((await read(events(say('</s>'), DONE))).failure, 'model_invalid_response');
  });
});

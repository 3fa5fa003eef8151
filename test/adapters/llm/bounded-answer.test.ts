import assert from 'node:assert/strict';
import { streamBoundedAnswer } from '../../../adapters/llm/bounded-answer.ts';
import type { ChatChunk } from '../../../core/answers/chat-model.ts';

describe('streamBoundedAnswer', () => {
  it('splits a text that arrives at once into pieces of at most 4,096 characters', async () => {
    const text = 'An answer of the model. '.repeat(1000);
    async function* open(): AsyncGenerator<ChatChunk> {
      yield { type: 'text', text };
    }
    const limits = { silenceMs: 10_000, totalMs: 10_000, maxChars: 100_000 };
    const pieces: string[] = [];
    for await (const chunk of streamBoundedAnswer(open, limits, new AbortController().signal))
      if (chunk.type === 'text') pieces.push(chunk.text);
    assert.equal(pieces.join(''), text);
    assert.deepEqual(
      pieces.map(({ length }) => length),
      [4096, 4096, 4096, 4096, 4096, 3520],
    );
  });
});

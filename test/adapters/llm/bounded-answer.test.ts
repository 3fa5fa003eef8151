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

  async function countChunks(count: number): Promise<number> {
    let taken = 0;
    async function* open(): AsyncGenerator<ChatChunk> {
      for (; taken < count; taken += 1) yield { type: 'text', text: taken === 0 ? 'Hello' : '' };
    }
    const limits = { silenceMs: 10_000, totalMs: 60_000, maxChars: 4000 };
    for await (const _ of streamBoundedAnswer(open, limits, new AbortController().signal));
    return taken;
  }

  it('accepts 50,000 chunks without text, such as thoughts', async () => {
    assert.equal(await countChunks(50_000), 50_000);
  });

  it('refuses endless chunks without text', () =>
    assert.rejects(countChunks(51_002), { code: 'model_too_long' }));
});

import assert from 'node:assert/strict';
import { FlowMessageBuilder } from '../../services/flows/running/flow-message-builder.ts';

describe('FlowMessageBuilder', () => {
  it('returns a text from say once, without the text that was already streamed', async () => {
    const speech = new FlowMessageBuilder();
    assert.deepEqual(
      [await readAll(speech.stream(write('Sorry.'))), [...speech.addTexts(['Sorry.'])]],
      ['Sorry.', []],
    );
    assert.equal(speech.toAnswer().content, 'Sorry.');
  });

  it('returns a text from say after clear, even if it was already streamed', async () => {
    const speech = new FlowMessageBuilder();
    await readAll(speech.stream(write('Sorry.')));
    speech.clear();
    assert.deepEqual([...speech.addTexts(['Sorry.'])], ['Sorry.']);
    assert.equal(speech.toAnswer().content, 'Sorry.');
  });
});

async function* write(text: string): AsyncGenerator<string, { text: string }> {
  yield await Promise.resolve(text);
  return { text };
}

async function readAll(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import { LiveAnswer, type AnswerEvent } from '../../services/conversations/answering/live-answer.ts';

const buildStored = (content: string) => ({ content, isError: false, citations: null }) as Opened<Message>;

async function readEvents(events: AsyncGenerator<AnswerEvent>, most = Infinity): Promise<AnswerEvent[]> {
  const seen: AnswerEvent[] = [];
  for await (const event of events) if (seen.push(event) >= most) break;
  return seen;
}

/** Returns the text that a client shows after it has read these events of an answer. */
function renderText(events: AnswerEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'message.started') text = '';
    if (event.type === 'delta') text += event.text;
  }
  return text;
}

describe('the events of an answer in progress', () => {
  const startAnswer = (...pieces: string[]) => {
    const answer = new LiveAnswer('answer', 'question');
    for (const piece of pieces) answer.append(piece);
    return answer;
  };

  it('combine pieces that the model sends together, and pass on later pieces at once', async () => {
    const answer = startAnswer();
    const reading = readEvents(answer.events(), 3);
    await nextTurn();
    for (const word of ['A ', 'day ', 'pass ']) {
      answer.append(word);
      await Promise.resolve();
    }
    await nextTurn();
    answer.append('costs 12 euros.');
    const deltas = (await reading).flatMap((event) => (event.type === 'delta' ? [event.text] : []));
    assert.deepEqual(deltas, ['A day pass ', 'costs 12 euros.']);
  });

  for (const cut of [1, 2, 3, 4, 5]) {
    it(`continue after event ${cut}, even at another process`, async () => {
      const answer = startAnswer('One ');
      const reading = readEvents(answer.events(), cut);
      await Promise.resolve();
      setImmediate(() => {
        answer.append('two \u{1f6b2}');
        setImmediate(() => answer.finish(buildStored('One two \u{1f6b2} three')));
      });
      const seen = await reading;
      const elsewhere = startAnswer();
      elsewhere.finish(buildStored('One two \u{1f6b2} three'));
      const rest = await readEvents(elsewhere.events(seen.at(-1)!));
      assert.equal(renderText([...seen, ...rest]), 'One two \u{1f6b2} three');
      assert.equal(
        rest.some(({ type }) => type === 'message.started'),
        false,
      );
      assert.equal(rest.at(-1)!.type, 'done');
    });
  }

  it('restart for a client that has read a different text, even if it has read that text completely', async () => {
    const before = startAnswer('Nobody ', 'knows.');
    before.finish(buildStored('Nobody knows.'));
    const seen = await readEvents(before.events());
    for (const last of seen.filter(({ position }) => position > 0)) {
      const again = startAnswer('It ');
      const reading = readEvents(again.events(last));
      again.append('is twelve.');
      again.finish(buildStored('It is twelve.'));
      const events = await reading;
      assert.deepEqual(
        events.map(({ type }) => type),
        ['message.started', 'delta', 'citations', 'done'],
      );
      assert.equal(renderText(events), 'It is twelve.');
    }
  });

  it('restart if another process has stored a different text', async () => {
    const answer = startAnswer('Nobody ');
    const reading = readEvents(answer.events());
    await new Promise(setImmediate);
    answer.finish(buildStored('It is twelve.'));
    const events = await reading;
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message.started', 'delta', 'message.started', 'delta', 'citations', 'done'],
    );
    assert.equal(renderText(events), 'It is twelve.');
  });
});

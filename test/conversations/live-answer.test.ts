import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import { LiveAnswer, type AnswerEvent } from '../../services/conversations/answering/live-answer.ts';

const stored = (content: string) => ({ content, isError: false, citations: null }) as Opened<Message>;

async function read(events: AsyncGenerator<AnswerEvent>, most = Infinity): Promise<AnswerEvent[]> {
  const seen: AnswerEvent[] = [];
  for await (const event of events) if (seen.push(event) >= most) break;
  return seen;
}

/** What is on the screen of somebody who has read this. */
function shown(events: AnswerEvent[]): string {
  let text = '';
  for (const event of events) {
    if (event.type === 'message.started') text = '';
    if (event.type === 'delta') text += event.text;
  }
  return text;
}

describe('an answer that is read while it is made', () => {
  const begun = (...pieces: string[]) => {
    const answer = new LiveAnswer('answer', 'question');
    for (const piece of pieces) answer.append(piece);
    return answer;
  };

  it('gives readers in one piece what a model has sent in one piece, and the rest as it comes', async () => {
    const answer = begun();
    const reading = read(answer.events(), 3);
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
    it(`goes on after event ${cut}, be it on another process`, async () => {
      const answer = begun('One ');
      const reading = read(answer.events(), cut);
      await Promise.resolve();
      setImmediate(() => {
        answer.append('two \u{1f6b2}');
        setImmediate(() => answer.finish(stored('One two \u{1f6b2} three')));
      });
      const seen = await reading;
      const elsewhere = begun();
      elsewhere.finish(stored('One two \u{1f6b2} three'));
      const rest = await read(elsewhere.events(seen.at(-1)!));
      assert.equal(shown([...seen, ...rest]), 'One two \u{1f6b2} three');
      assert.equal(
        rest.some(({ type }) => type === 'message.started'),
        false,
      );
      assert.equal(rest.at(-1)!.type, 'done');
    });
  }

  it('begins anew for a reader of other words, also for one who had all of them', async () => {
    const before = begun('Nobody ', 'knows.');
    before.finish(stored('Nobody knows.'));
    const seen = await read(before.events());
    for (const last of seen.filter(({ position }) => position > 0)) {
      const again = begun('It ');
      const reading = read(again.events(last));
      again.append('is twelve.');
      again.finish(stored('It is twelve.'));
      const events = await reading;
      assert.deepEqual(
        events.map(({ type }) => type),
        ['message.started', 'delta', 'citations', 'done'],
      );
      assert.equal(shown(events), 'It is twelve.');
    }
  });

  it('begins anew for its readers when another process has stored other words', async () => {
    const answer = begun('Nobody ');
    const reading = read(answer.events());
    await new Promise(setImmediate);
    answer.finish(stored('It is twelve.'));
    const events = await reading;
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message.started', 'delta', 'message.started', 'delta', 'citations', 'done'],
    );
    assert.equal(shown(events), 'It is twelve.');
  });
});

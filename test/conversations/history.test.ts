import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { AnswerRepository } from '../../repositories/conversations/answer.repository.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('the history that a model gets', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  /**
   * Inserts the messages of a conversation a second apart. Returns the history that a model would get after
   * the last message.
   */
  async function readHistoryAfter(
    said: readonly { role: 'user' | 'assistant' | 'agent'; content: string; second?: number }[],
  ) {
    const { orgId, session } = await buildSession(parley);
    const conversationId: string = session.session_id;
    const rows = said.map(({ second, ...message }, index) => ({
      ...message,
      id: newId(),
      orgId,
      conversationId,
      createdAt: new Date(Date.UTC(2026, 8, 3, 10, 15, second ?? index)),
    }));
    await parley.database.repository(Message).insert(rows);
    const scope = { orgId, conversationId, db: parley.database };
    const history = await new AnswerRepository().listHistory(scope, rows.at(-1)!.id);
    return history.map(({ role, content }) => `${role}: ${content}`);
  }

  it('ends with the question, even if the answer to an earlier question was finished later', async () => {
    const history = await readHistoryAfter([
      { role: 'user', content: 'What does a day pass cost?', second: 1 },
      { role: 'assistant', content: 'Twelve euros.', second: 3 },
      { role: 'user', content: 'And a week?', second: 2 },
    ]);
    assert.deepEqual(history, [
      'user: What does a day pass cost?',
      'assistant: Twelve euros.',
      'user: And a week?',
    ]);
  });

  it('begins with messages of the team before the visitor’s first message', async () => {
    const history = await readHistoryAfter([
      { role: 'agent', content: 'Hello, this is Ada.' },
      { role: 'agent', content: 'Your order is found.' },
      { role: 'user', content: 'Where?' },
    ]);
    assert.deepEqual(history, [
      'assistant: Hello, this is Ada.',
      'assistant: Your order is found.',
      'user: Where?',
    ]);
  });

  it('omits an answer whose question is outside the window', async () => {
    const turns = Array.from({ length: 11 }, (_, index) => [
      { role: 'user' as const, content: `Q${index}` },
      { role: 'assistant' as const, content: `A${index}` },
    ]).flat();
    const history = await readHistoryAfter([...turns, { role: 'user', content: 'Q11' }]);
    assert.deepEqual([history[0], history.at(-1), history.length], ['user: Q2', 'user: Q11', 19]);
  });
});

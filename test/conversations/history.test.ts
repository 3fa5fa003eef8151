import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Message } from '../../entities/message.entity.ts';
import { MessageRepository } from '../../repositories/message.repository.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { buildSession } from '../support/widget.ts';

describe('what a model reads of a conversation', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley();
  });
  after(() => parley.stop());

  it('ends with the question, also where an answer to the one before was finished later', async () => {
    const { orgId, session } = await buildSession(parley);
    const conversationId: string = session.session_id;
    const said = [
      { role: 'user', content: 'What does a day pass cost?', second: 1 },
      { role: 'assistant', content: 'Twelve euros.', second: 3 },
      { role: 'user', content: 'And a week?', second: 2 },
    ] as const;
    const rows = said.map(({ second, ...message }) => ({
      ...message,
      id: newId(),
      orgId,
      conversationId,
      createdAt: new Date(Date.UTC(2026, 8, 3, 10, 15, second)),
    }));
    await parley.database.repository(Message).insert(rows);
    const scope = { orgId, conversationId, db: parley.database };
    const history = await new MessageRepository().history(scope, rows[2]!.id);
    assert.deepEqual(
      history,
      said.map(({ role, content }) => ({ role, content })),
    );
  });
});

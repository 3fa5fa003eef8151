import assert from 'node:assert/strict';
import { startParley, type TestParley } from '../support/parley.ts';
import { ask, buildSession } from '../support/widget.ts';

const SAID = 'Where is my cargo bike for Rotterdam?';

describe('sealed conversations', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_SEAL_CONTENT: 'true' });
  });
  after(() => parley.stop());

  /** A conversation in which the visitor has asked something, and waits for a person. */
  async function build() {
    const session = await buildSession(parley, { handoff_enabled: true, fallback_message: 'I do not know about bikes.' });
    const id = session.session.session_id as string;
    await (await ask(session.visitor, session.path, { content: SAID })).text();
    const messages = () =>
      parley.database.sql<{ content: string; role: string; key_id: string | null }>(
        'SELECT role, content, key_id FROM messages WHERE conversation_id = $1 ORDER BY created_at, id',
        [id],
      );
    const conversation = async () => {
      const [row] = await parley.database.sql<Record<string, unknown>>('SELECT * FROM conversations WHERE id = $1', [id]);
      return row!;
    };
    return { ...session, id, own: `/api/conversations/${id}` as const, messages, conversation };
  }

  it('are kept sealed, and read as they were written by listConversationMessages, getConversation and listWidgetMessages', async () => {
    const { client, visitor, path, own, messages } = await build();
    const kept = await messages();
    assert.deepEqual(
      kept.map(({ role, key_id: keyId, content }) => [role, keyId !== null, /^[\w-]{40,}$/.test(content)]),
      [
        ['user', true, true],
        ['assistant', true, true],
      ],
    );
    const listed = [(await client.get(`${own}/messages`)).body, (await client.get(own)).body.messages];
    for (const read of [...listed, (await visitor.get(`${path}/messages`)).body])
      assert.deepEqual(
        read.map(({ content }) => content),
        [SAID, 'I do not know about bikes.'],
      );
  });
});

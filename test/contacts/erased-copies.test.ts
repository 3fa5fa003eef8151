import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { RateWindow } from '../../entities/requests/rate-window.entity.ts';
import { ErasureRepository } from '../../repositories/contacts/erasure.repository.ts';
import { ToolInvocationRepository } from '../../repositories/mcp/tool-invocation.repository.ts';
import { connectMcp } from '../mcp/support.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';

describe('eraseContact deletes copies:', () => {
  const erasure = new ErasureRepository();
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  it('emails about the contact, of each kind, and no email about other contacts', async () => {
    const { orgId } = await parley.buildOrg();
    const db = parley.database;
    const [contactId, otherId] = [newId(), newId()];
    const mails = db.repository(MailRow);
    const about = (kind: string, id: string) => `${kind}/${id}/${newId()}`;
    for (const kind of ['notify-lead', 'notify-handoff', 'mail-visitor', 'booking', 'note-mention', 'weekly'])
      await mails.insert({ id: newId(), orgId, template: 'lead', key: about(kind, contactId) });
    await mails.insert({ id: newId(), orgId, template: 'lead', key: about('booking', otherId) });
    await erasure.deleteEmails({ orgId, db }, [contactId]);
    const left = await mails.find({ where: { orgId }, order: { id: 'ASC' } });
    assert.deepEqual(
      left.map(({ key }) => key!.split('/').slice(0, 2).join('/')),
      [`weekly/${contactId}`, `booking/${otherId}`],
    );
  });

  it('arguments of MCP calls that read conversations, and no arguments of other calls', async () => {
    const { orgId, client, key } = await parley.buildOrg();
    const mcp = await connectMcp(parley.baseUrl, { key });
    await mcp.call('find_conversations', { query: 'Ada Okafor' });
    await mcp.call('get_conversation', { conversation_id: newId() });
    await mcp.call('search_knowledge', { bot_id: newId(), query: 'opening hours' });
    await mcp.close();
    await parley.runtime.services.mcp.toolLog.drain();
    const scope = { orgId, db: parley.database };
    const listArguments = async () => {
      const { body } = await client.get('/api/tool-invocations');
      return Object.fromEntries(
        body.items.map((each) => [each.tool, Object.keys(each.arguments).toSorted()]),
      );
    };
    const rows = new ToolInvocationRepository();
    await rows.clearConversationQueries(scope, new Date(Date.now() + 60_000));
    assert.deepEqual((await listArguments())['find_conversations'], ['query']);
    await rows.clearConversationQueries(scope, new Date(Date.now() - 60_000));
    assert.deepEqual(await listArguments(), {
      find_conversations: [],
      get_conversation: [],
      search_knowledge: ['bot_id', 'query'],
    });
  });

  it('request counts of the contact’s sessions, and no counts of other sessions', async () => {
    const db = parley.database;
    const [sessionId, otherId] = [newId(), newId()];
    const windows = db.repository(RateWindow);
    const now = new Date();
    const keys = [sessionId, otherId].flatMap((id) => [`session:${id}`, `messages:${id}`]);
    await windows.insert(keys.map((key) => ({ key, used: 1, startedAt: now, expiresAt: now })));
    await erasure.deleteResponsesAndCounters({ orgId: newId(), db }, [sessionId]);
    const left = await windows.find({ order: { key: 'ASC' } });
    assert.deepEqual(
      left.map(({ key }) => key).filter((key) => keys.includes(key)),
      [`messages:${otherId}`, `session:${otherId}`],
    );
  });
});

import assert from 'node:assert/strict';
import { connectMcp } from '../../mcp/support.ts';
import { startSharedParley, type SharedParley } from '../../support/parley.ts';
import { buildSession } from '../../support/widget.ts';
import { startOwnKeys, type OwnKeys } from '../../encryption/own-key.ts';

const SAID = 'Where is my cargo bike?';

describe('MCP tools in a workspace with its own key', () => {
  let parley: SharedParley;
  let keys: OwnKeys;
  before(async () => {
    parley = await startSharedParley();
    keys = await startOwnKeys(parley);
  });
  after(async () => {
    await keys?.stop();
  });

  it('return that the key is unavailable if they read content, and leave no arguments in listToolInvocations', async () => {
    const org = await buildSession(parley);
    await keys.seal(org);
    await org.visitor.post(`${org.path}/messages`, { content: SAID });
    const mcp = await connectMcp(parley.baseUrl, org);
    const bot_id = org.bot.id;
    const calls = {
      search_knowledge: { bot_id, query: SAID },
      ask_bot: { bot_id, question: SAID },
      add_knowledge: { bot_id, text: SAID },
      find_conversations: {},
      get_conversation: { conversation_id: org.session.session_id },
      get_insights: {},
      list_bots: {},
      get_bot: { bot_id },
      list_documents: { bot_id },
    };
    assert.match((await mcp.call('get_conversation', calls.get_conversation)).text, /cargo bike/);
    keys.withdraw(org);
    const refused: string[] = [];
    for (const [name, given] of Object.entries(calls)) {
      const { isError, text } = await mcp.call(name, given);
      assert.ok(!text.includes('cargo'), `${name}: ${text}`);
      if (!isError) continue;
      assert.match(
        text,
        / failed \(key_unavailable\): The workspace’s key service refuses to decrypt the workspace key\./,
      );
      refused.push(name);
    }
    assert.deepEqual(refused, Object.keys(calls).slice(0, 6));
    await mcp.close();
    await parley.runtime.services.mcp.toolLog.drain();
    keys.restore(org);
    const { body } = await org.client.get('/api/tool-invocations');
    const failed = body.items.filter(({ outcome }) => outcome === 'failed');
    assert.deepEqual(
      failed.map(({ tool, error_code: code, arguments: given }) => [tool, code, given]),
      refused.toReversed().map((tool) => [tool, 'key_unavailable', {}]),
    );
  });
});

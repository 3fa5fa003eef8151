import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/client';
import { newId } from '../../core/ids.ts';
import { toolNames, type ToolName } from '../../core/mcp/tool-names.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { buildDocument, buildKnowledgeBase, buildPassage } from '../support/knowledge.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { connectMcp, mcpAjv, type TestMcp } from './support.ts';

type ToolInput = Record<string, unknown>;

describe('schemas of MCP tools:', () => {
  let parley: TestParley;
  let model: ModelServer;
  let mcp: TestMcp;
  let botId: string;
  let conversationId: string;
  let listed: Map<string, Awaited<ReturnType<Client['listTools']>>['tools'][number]>;

  before(async () => {
    model = await startModelServer();
    parley = await startParley({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL_API_KEY: 'test',
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
    });
    const org = await buildKnowledgeBase(parley);
    ({ botId } = org);
    await buildPassage(parley.database, org, 'The motor error M22 means too hot.');
    await buildDocument(parley.database, {
      ...org,
      title: 'Prices',
      status: 'failed',
      errorMessage: 'Damaged.',
    });
    conversationId = await buildConversation(org);
    mcp = await connectMcp(parley.baseUrl, org);
    const { tools } = await mcp.client.listTools();
    listed = new Map(tools.map((tool) => [tool.name, tool]));
  });
  after(async () => {
    await mcp?.close();
    await parley?.stop();
    await model?.close();
  });

  async function buildConversation(org: { orgId: string }): Promise<string> {
    const id = newId();
    const row = { id, orgId: org.orgId, botId, visitorId: 'v', browserId: newId(), hasVisitorMessage: true };
    await parley.database
      .repository(Conversation)
      .insert({ ...row, title: 'Motor', rating: 5, sentiment: 'positive' });
    const said = { orgId: org.orgId, conversationId: id, role: 'user', state: 'complete' } as const;
    await parley.database.repository(Message).insert({ ...said, id: newId(), content: 'Is it hot?' });
    return id;
  }

  const compileSchema = (name: ToolName, kind: 'inputSchema' | 'outputSchema') => {
    const schema = listed.get(name)?.[kind] ?? assert.fail(name);
    assert.ok(mcpAjv.validateSchema(schema), mcpAjv.errorsText(mcpAjv.errors));
    return mcpAjv.compile(schema);
  };

  /** Valid inputs of each MCP tool, without optional fields and with all of them. */
  const inputs: Record<ToolName, () => ToolInput[]> = {
    list_bots: () => [{}, { query: 'a', status: 'draft' }],
    get_bot: () => [{ bot_id: botId }],
    search_knowledge: () => [
      { bot_id: botId, query: 'motor error M22' },
      { bot_id: botId, query: 'zebra', limit: 1 },
    ],
    ask_bot: () => [{ bot_id: botId, question: 'What is motor error M22?' }],
    add_knowledge: () => [
      { bot_id: botId, text: 'We open at nine.' },
      { bot_id: botId, url: 'https://example.com/', title: 'Site', tags: ['shop'], request_id: 'again' },
    ],
    list_documents: () => [{ bot_id: botId }, { bot_id: botId, status: 'failed' }],
    find_conversations: () => [
      {},
      { bot_id: botId, query: 'hot', status: 'active', from: '2020-01-01T00:00:00Z', is_lead: false },
    ],
    get_conversation: () => [{ conversation_id: conversationId }],
    get_insights: () => [{}, { bot_id: botId, days: 90 }],
  };

  /** Inputs that the schema of each MCP tool refuses. */
  const refused: Record<ToolName, ToolInput[]> = {
    list_bots: [{ status: 'gone' }, { query: '' }, { query: 1 }],
    get_bot: [{}, { bot_id: 'x' }],
    search_knowledge: [{ query: 'x' }, { bot_id: newId(), query: 'x', limit: 21 }],
    ask_bot: [{ bot_id: newId() }, { bot_id: newId(), question: '' }],
    add_knowledge: [{ text: 'x' }, { bot_id: newId(), text: ' ' }, { bot_id: newId(), text: 'x', tags: 'a' }],
    list_documents: [{ bot_id: newId(), status: 'gone' }],
    find_conversations: [{ from: 'yesterday' }, { is_lead: 'maybe' }],
    get_conversation: [{ conversation_id: newId(), after: 'x' }],
    get_insights: [{ days: 0 }, { days: 1.5 }],
  };

  /** Inputs that the schema of each MCP tool accepts, although the call fails for another reason. */
  const failing: Record<ToolName, ToolInput> = {
    list_bots: { cursor: 'forged' },
    get_bot: { bot_id: newId() },
    search_knowledge: { bot_id: newId(), query: 'x' },
    ask_bot: { bot_id: newId(), question: 'x' },
    add_knowledge: { bot_id: newId() },
    list_documents: { bot_id: newId() },
    find_conversations: { bot_id: newId() },
    get_conversation: { conversation_id: newId() },
    get_insights: { bot_id: newId() },
  };

  for (const name of toolNames) {
    it(`${name} accepts inputs of its schema, and returns what its output schema describes`, async () => {
      const isInput = compileSchema(name, 'inputSchema');
      const isOutput = compileSchema(name, 'outputSchema');
      for (const given of inputs[name]()) {
        assert.ok(isInput(given), mcpAjv.errorsText(isInput.errors));
        const { isError, text, content } = await mcp.call(name, given);
        assert.equal(isError, false, text);
        assert.ok(isOutput(content), mcpAjv.errorsText(isOutput.errors));
        assert.deepEqual(JSON.parse(text), content);
      }
    });

    it(`${name} refuses inputs that its schema refuses, and accepts the form of all other inputs`, async () => {
      const isInput = compileSchema(name, 'inputSchema');
      for (const given of [...refused[name], { ...inputs[name]()[0], colour: 'red' }]) {
        assert.equal(isInput(given), false, JSON.stringify(given));
        const { isError, text } = await mcp.call(name, given);
        assert.equal(isError, true, text);
        assert.match(text, /failed \(validation_error\)/);
      }
      const given = failing[name];
      assert.ok(isInput(given), mcpAjv.errorsText(isInput.errors));
      const { isError, text } = await mcp.call(name, given);
      assert.equal(isError, true, text);
    });
  }

  it('tools/call returns at least one item in every list of these tests', async () => {
    const lists: [ToolName, string][] = [
      ['list_bots', 'bots'],
      ['search_knowledge', 'passages'],
      ['ask_bot', 'citations'],
      ['list_documents', 'documents'],
      ['find_conversations', 'conversations'],
      ['get_conversation', 'messages'],
    ];
    for (const [name, list] of lists) {
      const { content } = await mcp.call(name, inputs[name]()[0]);
      assert.ok((content as Record<string, unknown[]>)[list]!.length > 0, name);
    }
  });
});

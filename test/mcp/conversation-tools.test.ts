import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startModelServer, type ModelServer } from '../support/model-server.ts';
import { buildKnowledgeBase, buildPassage } from '../support/knowledge.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { connectMcp, type TestMcp } from './support.ts';

interface Part {
  conversation: { id: string; title: string };
  messages: { role: string; content: string }[];
  next_cursor?: string;
  truncated: boolean;
}

/** Control characters, each of which JSON escapes with six characters. */
const NASTY = '\u0001'.repeat(5000);

describe('MCP tools for conversations:', () => {
  let parley: TestParley;
  let model: ModelServer;
  const open: TestMcp[] = [];

  before(async () => {
    model = await startModelServer();
    parley = await startParley({
      PARLEY_MODEL_BASE_URL: model.baseUrl,
      PARLEY_MODEL_API_KEY: 'test',
      PARLEY_OUTBOUND_ALLOW: '127.0.0.0/8',
    });
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((mcp) => mcp.close()));
  });
  after(async () => {
    await parley.stop();
    await model.close();
  });

  async function buildCaller() {
    const org = await buildKnowledgeBase(parley);
    const mcp = await connectMcp(parley.baseUrl, org);
    open.push(mcp);
    return { ...org, call: mcp.call };
  }

  async function buildConversation(
    { orgId, botId }: { orgId: string; botId: string },
    texts: readonly string[],
    overrides: Partial<Pick<Opened<Conversation>, 'status' | 'title' | 'summary' | 'rating' | 'isLead'>> = {},
  ): Promise<string> {
    const id = newId();
    const { database } = parley;
    await database.repository(Conversation).insert({
      id,
      orgId,
      botId,
      visitorId: 'v',
      browserId: newId(),
      hasVisitorMessage: true,
      ...overrides,
    });
    const messages = texts.map((content, index) => ({
      id: newId(),
      orgId,
      conversationId: id,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      state: 'complete' as const,
      content,
      createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1000),
    }));
    await database.repository(Message).insert(messages);
    return id;
  }

  it('find_conversations filters by state and by leads', async () => {
    const org = await buildCaller();
    const ended = await buildConversation(org, ['Hello'], { status: 'ended', title: 'Greeting', rating: 5 });
    const lead = await buildConversation(org, ['Call me'], { isLead: true });
    const find = async (given: object) => {
      const { content } = await org.call('find_conversations', { ...given });
      return (content as { conversations: { id: string }[] }).conversations.map(({ id }) => id);
    };
    assert.deepEqual(await find({ status: 'ended' }), [ended]);
    assert.deepEqual(await find({ is_lead: true }), [lead]);
    assert.deepEqual(await find({ bot_id: org.botId }), [lead, ended]);
    assert.deepEqual(await find({ to: '2020-01-01T00:00:00Z' }), []);
  });

  it('get_conversation returns each message once, in pages of a size that clients accept', async () => {
    const org = await buildCaller();
    const texts = Array.from({ length: 130 }, (_, index) => `${index} ${'word '.repeat(100)}`);
    const id = await buildConversation(org, texts, { title: 'Long' });
    const read: string[] = [];
    let after: string | undefined;
    let parts = 0;
    do {
      const { content, text } = await org.call('get_conversation', {
        conversation_id: id,
        ...(after && { after }),
      });
      const part = content as Part;
      assert.ok(text.length <= 24_000);
      assert.deepEqual([part.conversation.title, part.truncated], ['Long', false]);
      read.push(...part.messages.map(({ content: said }) => said));
      after = part.next_cursor;
      parts += 1;
    } while (after !== undefined);
    assert.deepEqual(read, texts);
    assert.ok(parts > 2);
  });

  itInSoak('get_conversation truncates a message that is too long, and sets truncated', async () => {
    const org = await buildCaller();
    const id = await buildConversation(org, ['x'.repeat(9000)]);
    const { messages, truncated } = (await org.call('get_conversation', { conversation_id: id }))
      .content as Part;
    assert.deepEqual([messages[0]!.content.length, truncated], [4000, true]);
  });

  itInSoak('get_conversation returns at least one message, whatever a visitor writes', async () => {
    const org = await buildCaller();
    const texts = [`x${'\u0001'.repeat(19_999)}`, 'Hello'];
    const id = await buildConversation(org, texts);
    const { text, content } = await org.call('get_conversation', { conversation_id: id });
    const { messages, truncated, next_cursor: next } = content as Part;
    assert.deepEqual([messages.length, messages[1]!.content, truncated, next], [2, 'Hello', true, undefined]);
    assert.equal(messages[0]!.content, `x${'\u0001'.repeat(666)}…`);
    assert.ok(text.length <= 24_000);
  });

  itInSoak(
    'find_conversations returns twenty conversations in one result, whatever their content',
    async () => {
      const org = await buildCaller();
      for (let index = 0; index < 20; index += 1)
        await buildConversation(org, ['Hello'], { title: NASTY, summary: NASTY });
      const { text, content } = await org.call('find_conversations');
      assert.equal((content as { conversations: object[] }).conversations.length, 20);
      assert.ok(text.length <= 24_000, String(text.length));
    },
  );

  it('ask_bot returns the bot’s answer with its sources, and starts no conversation', async () => {
    const org = await buildCaller();
    const documentId = await buildPassage(parley.database, org, 'The motor error M22 means too hot.');
    const { content } = await org.call('ask_bot', {
      bot_id: org.botId,
      question: 'What is motor error M22?',
    });
    const { answer, citations } = content as { answer: string; citations: { document_id: string }[] };
    assert.match(answer, /The documents answer that \[1\]/);
    assert.deepEqual(
      citations.map(({ document_id: id }) => id),
      [documentId],
    );
    assert.equal(await parley.database.repository(Conversation).countBy({ orgId: org.orgId }), 0);
  });

  it('get_insights returns counts, and is empty for a new workspace', async () => {
    const org = await buildCaller();
    const { content } = await org.call('get_insights', { days: 90 });
    assert.deepEqual(content, {
      totals: {
        conversations: 0,
        ended: 0,
        self_service_rate: null,
        leads: 0,
        handoffs_requested: 0,
        handoffs_answered: 0,
        ratings: 0,
        average_rating: null,
        errors: 0,
        unanswered: 0,
      },
      unanswered: [],
      truncated: false,
    });
    await buildConversation(org, ['Hello'], { status: 'ended' });
    const again = (await org.call('get_insights', { bot_id: org.botId })).content as {
      totals: { conversations: number };
    };
    assert.equal(again.totals.conversations, 1);
  });

  itInSoak('search_knowledge returns twenty long passages in one result', async () => {
    const org = await buildCaller();
    for (let index = 0; index < 20; index += 1)
      await buildPassage(
        parley.database,
        org,
        `Harbour ferry ${index}. ${'The ferry leaves the harbour at noon. '.repeat(100)}`,
      );
    const { text, content } = await org.call('search_knowledge', {
      bot_id: org.botId,
      query: 'harbour ferry',
      limit: 20,
    });
    assert.ok(text.length <= 24_000, String(text.length));
    assert.equal((content as { truncated: boolean }).truncated, true);
  });

  it('search_knowledge returns a passage, whatever its text', async () => {
    const org = await buildCaller();
    const documentId = await buildPassage(parley.database, org, `Zebra ${NASTY}`);
    const { text, content } = await org.call('search_knowledge', { bot_id: org.botId, query: 'zebra' });
    const { passages } = content as { passages: { document_id: string }[] };
    assert.deepEqual(
      passages.map(({ document_id: id }) => id),
      [documentId],
    );
    assert.ok(text.length <= 24_000, String(text.length));
  });

  it('tools/call counts toward the rate limit of the tool’s operations, and returns how long to wait', async () => {
    const limited = await parley.startAnother({ rateLimitPerMinute: 5 });
    const org = await buildKnowledgeBase(parley);
    const mcp = await connectMcp(limited.baseUrl, org);
    open.push(mcp);
    const results = [];
    for (let call = 0; call < 6; call += 1) results.push(await mcp.call('list_bots'));
    const refused = results.filter(({ isError }) => isError);
    assert.ok(refused.length > 0);
    assert.match(refused[0]!.text, /failed \(rate_limited\): .* Try again in \d+ s\./);
    await limited.stop();
  });
});

import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { buildKnowledgeBase } from '../support/knowledge.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow, measureLoop } from '../support/loop-meter.ts';
import { startSharedParley, type SharedParley, type TestOrg } from '../support/parley.ts';

/** Number of characters in the longest answer of a custom model. JSON escapes each with six characters. */
const MAX_ANSWER_LENGTH = 262_100;
const CONTROL = '\u0001'.repeat(MAX_ANSWER_LENGTH);
const MAX_HELD_MS = 50;
const MAX_GROWN_BYTES = 200 * 1024 * 1024;

interface Read {
  conversation: object;
  messages: { role: string; content: string; created_at: string }[];
  next_cursor?: string;
  truncated: boolean;
}

describe('get_conversation of long answers', () => {
  let parley: SharedParley;
  before(async () => (parley = await startSharedParley()));

  async function buildConversation(texts: readonly string[]) {
    const org = await buildKnowledgeBase(parley);
    const id = newId();
    const { database } = parley;
    const at = new Date(Date.UTC(2026, 0, 1));
    await database.repository(Conversation).insert({
      id,
      orgId: org.orgId,
      botId: org.botId,
      visitorId: 'v',
      browserId: newId(),
      hasVisitorMessage: true,
      title: 'Long',
      lastMessageAt: at,
    });
    const ids: string[] = [];
    for (const [index, content] of texts.entries()) {
      ids.push(newId());
      await database.repository(Message).insert({
        id: ids[index]!,
        orgId: org.orgId,
        conversationId: id,
        role: index % 2 === 0 ? 'user' : 'assistant',
        state: 'complete',
        content,
        createdAt: toTime(index),
      });
    }
    return { org, id, ids };
  }

  async function post({ key }: TestOrg, body: object): Promise<unknown> {
    const response = await fetch(`${parley.baseUrl}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
    return response.text();
  }

  const buildToolCall = (given: object, id = 1) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'get_conversation', arguments: given },
  });

  async function read(org: TestOrg, given: object): Promise<{ text: string; content: Read }> {
    const sent = String(await post(org, buildToolCall(given)));
    const data =
      sent
        .split('\n')
        .find((line) => line.startsWith('data: '))
        ?.slice(6) ?? sent;
    const { result } = JSON.parse(data) as {
      result: { content: { text: string }[]; structuredContent: Read };
    };
    return { text: result.content[0]!.text, content: result.structuredContent };
  }

  it('truncates each answer to fit the result, and returns a cursor for the rest of the answer', async () => {
    const answer = (index: number) => `${index} ${'word '.repeat(50_000)}`;
    const texts = Array.from({ length: 24 }, (_, index) =>
      index % 2 === 0 ? `Question ${index}` : answer(index),
    );
    const { org, id, ids } = await buildConversation(texts);
    const expectMessage = (index: number) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: texts[index]!.length > 4000 ? `${texts[index]!.slice(0, 3999)}…` : texts[index]!,
      created_at: toTime(index).toISOString(),
    });
    const about = {
      id,
      bot_id: org.botId,
      title: 'Long',
      summary: null,
      status: 'active',
      sentiment: null,
      rating: null,
      last_message_at: '2026-01-01T00:00:00.000Z',
    };
    const expectPart = (from: number, to: number) => ({
      conversation: about,
      messages: Array.from({ length: to - from }, (_, at) => expectMessage(from + at)),
      ...(to < texts.length && { next_cursor: ids[to - 1]! }),
      truncated: true,
    });
    let from = 0;
    for (const to of [11, 21, 24]) {
      const after = ids[from - 1];
      const { text, content } = await read(org, { conversation_id: id, ...(after && { after }) });
      assert.equal(text, JSON.stringify(expectPart(from, to)));
      assert.deepEqual(content, expectPart(from, to));
      from = to;
    }
  });

  it('does not cut a surrogate pair at the end of a truncated text', async () => {
    const texts = [3998, 3999, 4000, 4001].map((length) => `${'x'.repeat(length)}🚢${'y'.repeat(9)}`);
    const { org, id } = await buildConversation([...texts, `${'x'.repeat(3998)}🚢`]);
    const { messages, truncated } = (await read(org, { conversation_id: id })).content;
    assert.deepEqual(
      messages.map(({ content }) => content),
      [...[3998, 3999, 3999, 3999].map((length) => `${'x'.repeat(length)}…`), `${'x'.repeat(3998)}🚢`],
    );
    assert.equal(truncated, true);
  });

  for (const [what, text] of [
    ['U+0001', CONTROL],
    ['U+FDFA', '\ufdfa'.repeat(MAX_ANSWER_LENGTH)],
  ] as const)
    itInSoak(`blocks the event loop for at most ${MAX_HELD_MS} ms for 49 answers of ${what}`, async () => {
      const { org, id } = await buildConversation(Array<string>(49).fill(text));
      await assertLoopBlockedBelow(MAX_HELD_MS, () => read(org, { conversation_id: id }));
    });

  itInSoak('takes at most 200 MB for a batch of 20 calls', async () => {
    const { org, id } = await buildConversation(Array<string>(49).fill(CONTROL));
    const batch = Array.from({ length: 20 }, (_, at) => buildToolCall({ conversation_id: id }, at));
    // Measure only the first attempt, because the process does not return memory after it has grown.
    const { growthBytes: grownBytes } = await measureLoop(async () => void (await post(org, batch)));
    assert.ok(grownBytes <= MAX_GROWN_BYTES, `${Math.round(grownBytes / 1e6)} MB`);
  });
});

function toTime(index: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + index * 1000);
}

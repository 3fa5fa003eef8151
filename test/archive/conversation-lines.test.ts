import assert from 'node:assert/strict';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Conversation } from '../../entities/conversations/conversation.entity.ts';
import type { ArchiveSourceRepository } from '../../repositories/archive/archive-source.repository.ts';
import type { ArchivedMessage } from '../../repositories/archive/archive-source.sql.ts';
import {
  renderConversations,
  type RenderedConversation,
} from '../../services/archive/exports/conversation-lines.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { assertLoopBlockedBelow } from '../support/loop-meter.ts';

const MAX_BYTES = 16 * 1024 * 1024;
/** The longest answer that a model gives, of characters that JSON escapes. */
const ANSWER = '\n='.repeat(131_072);

describe('lines of archived conversations', () => {
  let readCount = 0;
  let listedIds: string[] = [];
  beforeEach(() => {
    readCount = 0;
    listedIds = [];
  });

  async function render(count: number, messageCount = count): Promise<RenderedConversation> {
    const now = new Date();
    const messages = Array.from({ length: count }, (_, at) => ({
      id: String(at),
      conversationId: 'one',
      role: 'assistant',
      createdAt: now,
      costUsd: null,
      mailedAt: null,
      get content() {
        readCount += 1;
        return ANSWER;
      },
    }));
    const conversation = { id: 'one', messageCount, hadHandoff: false, createdAt: now };
    const times = {
      lastMessageAt: now,
      visitorSeenAt: now,
      consentAt: null,
      endedAt: null,
      reopenedAt: null,
    };
    const source = {
      listMessages: (_scope: OrgScope, ids: string[]) => {
        listedIds.push(...ids);
        return Promise.resolve(messages as unknown as ArchivedMessage[]);
      },
      listHandoffs: () => Promise.resolve([]),
      mapContentBytes: () => Promise.resolve(new Map()),
    } as unknown as ArchiveSourceRepository;
    const listed = [{ ...conversation, ...times } as unknown as Opened<Conversation>];
    const rendered = renderConversations(source, {} as OrgScope, listed, false);
    const { value } = await rendered.next();
    return value as RenderedConversation;
  }

  it('are written in the order of the messages, up to 16 MB', async () => {
    const { lines, bytes, error } = await render(40);
    assert.equal(error, null);
    const written = lines.map((line) => JSON.parse(line.toString()) as { id: string; content?: string });
    assert.deepEqual(
      written.map(({ id }) => id),
      ['one', ...Array.from({ length: 40 }, (_, at) => String(at))],
    );
    assert.ok(written.slice(1).every(({ content }) => content === ANSWER));
    assert.equal(
      bytes,
      lines.reduce((sum, { length }) => sum + length, 0),
    );
    assert.ok(bytes > MAX_BYTES * 0.9 && bytes <= MAX_BYTES, `${bytes} bytes`);
  });

  it('stop before a message that exceeds the limit, and the conversation is omitted', async () => {
    const { lines, bytes, error } = await render(400);
    assert.deepEqual([lines.length, bytes, error?.code], [0, 0, 'conversation_too_large']);
    assert.equal(readCount, 43);
  });

  it('are not read from the database if the conversation has more than 10,000 messages', async () => {
    const { lines, error } = await render(0, 60_000);
    assert.deepEqual([lines.length, listedIds], [0, []]);
    assert.equal(
      error?.message,
      'The conversation was skipped: it has 60,000 messages, but a conversation in an archive can have at most 10,000. listConversationMessages returns its messages.',
    );
  });

  it('are read for at most 16 MB or 4,000 messages of conversations at once', async () => {
    const MB = 1024 * 1024;
    const now = new Date();
    const sizes: [id: string, bytes: number, messageCount: number][] = [
      ['a', 9 * MB, 10],
      ['b', 7 * MB, 10],
      ['c', 1, 10],
      ['d', 20 * MB, 10],
      ['e', 33 * MB, 10],
      ['f', 1, 2000],
      ['g', 1, 2000],
      ['h', 1, 1],
    ];
    const listed = sizes.map(([id, , messageCount]) => ({
      id,
      messageCount,
      hadHandoff: false,
      createdAt: now,
      lastMessageAt: now,
      visitorSeenAt: now,
      consentAt: null,
      endedAt: null,
      reopenedAt: null,
    })) as unknown as Opened<Conversation>[];
    const reads: string[][] = [];
    const source = {
      listMessages: (_scope: OrgScope, ids: string[]) => Promise.resolve((reads.push(ids), [])),
      listHandoffs: () => Promise.resolve([]),
      mapContentBytes: () => Promise.resolve(new Map(sizes.map(([id, bytes]) => [id, bytes]))),
    } as unknown as ArchiveSourceRepository;
    const errors: string[] = [];
    for await (const { conversation, error } of renderConversations(source, {} as OrgScope, listed, false))
      if (error) errors.push(conversation.id);
    assert.deepEqual(reads, [['a', 'b'], ['c'], ['d'], [], ['f', 'g'], ['h']]);
    assert.deepEqual(errors, ['e']);
  });

  itInSoak('of 16 MB block the event loop for less than 35 ms', async () => {
    await assertLoopBlockedBelow(35, () => render(40));
  });
});

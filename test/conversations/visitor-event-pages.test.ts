import assert from 'node:assert/strict';
import type { Opened } from '../../database/sealed-columns.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import {
  MessageRepository,
  type ConversationScope,
  type MessageRange,
} from '../../repositories/conversations/message.repository.ts';
import type { VisitorScope } from '../../services/contacts/visitor-scope.ts';
import {
  VisitorEvents,
  type VisitorEvent,
  type VisitorEventsDeps,
} from '../../services/conversations/live/visitor-events.ts';

/** A fake repository with messages in memory, which records the limits of all reads. */
class ListedMessages extends MessageRepository {
  readonly limits: number[] = [];
  readonly #all: Opened<Message>[];

  constructor(count: number, content: string) {
    super();
    this.#all = Array.from(
      { length: count },
      (_, at) => ({ id: `m${at + 1}`, role: 'agent', content }) as Opened<Message>,
    );
  }

  override async list(_: ConversationScope, { after, limit }: MessageRange): Promise<Opened<Message>[]> {
    this.limits.push(limit);
    const from = this.#all.findIndex(({ id }) => id === after) + 1;
    return this.#all.slice(from, from + limit);
  }
}

const scope = { conversationId: 'c', botId: 'b' } as VisitorScope;

function buildEvents(messages: MessageRepository): VisitorEvents {
  const session = {
    conversation: { status: 'ended', endedAt: null },
    agentName: null,
    bot: { status: 'active', isPublic: true },
  };
  async function* watchChanges(_: readonly string[], signal: AbortSignal) {
    if (!signal.aborted) yield null;
  }
  return new VisitorEvents({
    messages,
    feed: { watchChanges },
    widget: { getSession: async () => session },
    settings: { streamsPerSession: 1 },
  } as unknown as VisitorEventsDeps);
}

describe('VisitorEvents with a conversation of 300 messages', () => {
  const positions = Array.from({ length: 300 }, (_, at) => `m${at + 1}`);
  const formatEvent = ({ type, position }: VisitorEvent) => `${type} ${position}`;

  it('reads at most 200 messages at once, and returns all in order', async () => {
    const messages = new ListedMessages(300, 'short');
    const events: string[] = [];
    for await (const event of buildEvents(messages).stream(scope, '0', new AbortController().signal))
      events.push(formatEvent(event));
    assert.deepEqual(events, [...positions.map((id) => `message ${id}`), 'ended m300']);
    assert.deepEqual(messages.limits, [20, 200, 200]);
  });

  it('reads fewer messages at once if they are long', async () => {
    const messages = new ListedMessages(300, 'x'.repeat(100_000));
    for await (const _ of buildEvents(messages).stream(scope, '0', new AbortController().signal));
    assert.deepEqual(messages.limits, [20, ...Array.from({ length: 15 }, () => 20)]);
  });

  it('reads the next batch only after the client has taken the previous batch', async () => {
    const messages = new ListedMessages(300, 'short');
    const stream = buildEvents(messages).stream(scope, '0', new AbortController().signal);
    for (let taken = 0; taken < 20; taken += 1) await stream.next();
    assert.deepEqual(messages.limits, [20]);
    await stream.next();
    assert.deepEqual(messages.limits, [20, 200]);
    await stream.return(undefined);
  });

  it('stops reading when the request is aborted', async () => {
    const messages = new ListedMessages(300, 'short');
    const request = new AbortController();
    const stream = buildEvents(messages).stream(scope, '0', request.signal);
    await stream.next();
    request.abort();
    assert.deepEqual(await stream.next(), { value: undefined, done: true });
    assert.deepEqual(messages.limits, [20]);
  });

  it('ends with too_many_streams at the last sent event when a newer stream displaces it', async () => {
    const messages = new ListedMessages(300, 'short');
    const events = buildEvents(messages);
    const older = events.stream(scope, '0', new AbortController().signal);
    await older.next();
    const newer = events.stream(scope, '0', new AbortController().signal);
    await newer.next();
    const { value } = await older.next();
    assert.deepEqual(value, { type: 'closed', position: 'm1', reason: 'too_many_streams' });
    assert.deepEqual(messages.limits, [20, 20]);
    await newer.return(undefined);
  });
});

import { AppError } from '../../../core/errors/errors.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { isServed } from '../../../entities/bots/bot.entity.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { Database } from '../../../database/database.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { VisitorRepository } from '../../../repositories/conversations/visitor.repository.ts';
import { visibleKinds } from '../system-messages.ts';
import type { VisitorSession, WidgetService } from '../widget-service.ts';
import type { ConversationFeed } from './conversation-feed.ts';
import { SessionStreams, type ClosingReason } from './session-streams.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';

/**
 * An event in the stream to a visitor. Answers to the visitor's own messages have a separate stream.
 * `position` is where a reconnected client resumes.
 */
export type VisitorEvent = { position: string } & (
  | { type: 'message'; message: Opened<Message> }
  | { type: 'handoff'; session: VisitorSession }
  | { type: 'closed'; reason: ClosingReason }
  | { type: 'ended'; endedAt: Date | null }
);

/** Position in a visitor's stream before the first message of the conversation. */
const START = '0';

export interface VisitorEventsDeps {
  database: Database;
  feed: ConversationFeed;
  messages: MessageRepository;
  visitors: VisitorRepository;
  widget: WidgetService;
  settings: Pick<Settings, 'streamsPerSession'>;
}

/** Streams the events of a conversation to its visitor. A visitor with an open stream counts as present. */
export class VisitorEvents {
  readonly #deps: VisitorEventsDeps;
  readonly #streams: SessionStreams;

  constructor(deps: VisitorEventsDeps) {
    this.#deps = deps;
    this.#streams = new SessionStreams(deps.settings.streamsPerSession);
  }

  /**
   * Streams the current state of the conversation, then the messages after a position, except answers to the
   * visitor's own messages. Ends when the session opens too many newer streams, or when the bot is switched
   * off.
   * @param after position of the last event that the visitor has received; by default the position of the
   *   newest message
   */
  async *stream(
    scope: VisitorScope,
    after: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<VisitorEvent> {
    const { feed, widget } = this.#deps;
    const { displaced, close } = this.#streams.open(scope.conversationId);
    try {
      let lastState = '';
      let position: string | undefined;
      const over = AbortSignal.any([signal, displaced]);
      const changes = feed.watchChanges([scope.conversationId, scope.botId], over);
      for await (const _ of changes) {
        position ??= await this.#resolvePosition(scope, after);
        const session = await nullIfRemoved(widget.getSession(scope));
        if (!session) return yield { type: 'ended', position, endedAt: null };
        for await (const message of this.#listMessagesAfter(scope, position)) {
          if (over.aborted) break;
          position = message.id;
          if (isUnsolicited(message)) yield { type: 'message', position, message };
        }
        if (over.aborted) break;
        const { status, endedAt } = session.conversation;
        if (status === 'ended') return yield { type: 'ended', position, endedAt };
        if (!isServed(session.bot)) return yield { type: 'closed', position, reason: 'bot_off' };
        const state = `${status} ${session.agentName}`;
        if (state !== lastState) yield { type: 'handoff', position, session };
        lastState = state;
      }
      if (displaced.aborted && !signal.aborted)
        yield { type: 'closed', position: position ?? START, reason: 'too_many_streams' };
    } finally {
      close();
    }
  }

  /** Marks all visitors with an open stream at this process as present. */
  async markPresent(): Promise<void> {
    const ids = this.#streams.sessionIds;
    if (ids.length > 0) await this.#deps.visitors.markPresent(this.#deps.database, ids);
  }

  async #resolvePosition(scope: VisitorScope, after: string | undefined): Promise<string> {
    const { messages } = this.#deps;
    if (after === START) return START;
    const known = after === undefined ? null : await messages.find(scope, after);
    if (known?.conversationId === scope.conversationId) return known.id;
    return (await messages.findNewestId(scope)) ?? START;
  }

  /** Reads messages batch by batch, since a stranger may ask for a whole conversation and read it slowly. */
  #listMessagesAfter(scope: VisitorScope, position: string): AsyncGenerator<Opened<Message>> {
    const range = { kinds: visibleKinds, ...(position !== START && { after: position }) };
    return this.#deps.messages.listAll(scope, range);
  }
}

/** Returns false for an answer to a visitor's message, because the answer's own stream sends it. */
function isUnsolicited({ role, replyToId }: Pick<Message, 'role' | 'replyToId'>): boolean {
  return role === 'agent' || role === 'system' || (role === 'assistant' && replyToId === null);
}

/** Returns the visitor's session; null if its conversation was deleted. */
async function nullIfRemoved(session: Promise<VisitorSession>): Promise<VisitorSession | null> {
  try {
    return await session;
  } catch (error) {
    if (error instanceof AppError && error.code === 'unauthenticated') return null;
    throw error;
  }
}

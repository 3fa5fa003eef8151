import { isHandoff } from '../../../entities/conversations/conversation.entity.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { InboxEntry, InboxService } from '../inbox-service.ts';
import type { ConversationFeed } from './conversation-feed.ts';
import { SessionStreams } from './session-streams.ts';

/** An event in the team's inbox, for a conversation that is in the inbox or has just left it. */
export type InboxEvent = { type: 'item'; entry: InboxEntry } | { type: 'removed'; id: string };

const MAX_INITIAL_ENTRIES = 100;
/**
 * Maximum number of inbox streams that a member has open in a workspace at this process, including those of
 * the member's API keys.
 */
const MAX_STREAMS = 50;

export interface InboxEventsDeps {
  feed: ConversationFeed;
  inbox: InboxService;
}

/** Streams changes in a workspace's inbox to members of the team. */
export class InboxEvents {
  readonly #deps: InboxEventsDeps;
  readonly #streams = new SessionStreams(MAX_STREAMS);

  constructor(deps: InboxEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Streams the inbox, beginning with the handoffs that have waited longest. Ends if changes may have been
   * missed, so that the client reconnects and loads the inbox again. Also ends when the member opens too many
   * newer streams.
   * @param mayListen called before each change; the stream ends if it resolves to false
   */
  async *stream(
    scope: MemberScope,
    signal: AbortSignal,
    mayListen: () => Promise<boolean>,
  ): AsyncGenerator<InboxEvent> {
    const { displaced, close } = this.#streams.open(`${scope.orgId} ${scope.userId}`);
    try {
      yield* this.#streamChanges(scope, AbortSignal.any([signal, displaced]), mayListen);
    } finally {
      close();
    }
  }

  async *#streamChanges(
    scope: MemberScope,
    signal: AbortSignal,
    mayListen: () => Promise<boolean>,
  ): AsyncGenerator<InboxEvent> {
    const { feed, inbox } = this.#deps;
    let hasBegun = false;
    for await (const changed of feed.watchChanges([scope.orgId], signal)) {
      if (hasBegun && (changed === null || !(await mayListen()))) return;
      hasBegun = true;
      const entries = changed
        ? await inbox.listEntries(scope, [...changed])
        : (await inbox.list(scope, { page_size: MAX_INITIAL_ENTRIES })).items;
      const deleted = new Set(changed);
      for (const entry of entries) {
        const { id, status } = entry.conversation;
        deleted.delete(id);
        yield isHandoff(status) ? { type: 'item', entry } : { type: 'removed', id };
      }
      for (const id of deleted) yield { type: 'removed', id };
    }
  }
}

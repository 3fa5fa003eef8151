import { isHandoff } from '../../entities/conversation.entity.ts';
import type { InboxEntry, InboxService, MemberScope } from '../conversations/inbox.service.ts';
import type { ConversationFeed } from './conversation-feed.ts';

/** A conversation that is in the inbox, or has just left it. */
export interface InboxEvent {
  type: 'item' | 'removed';
  entry: InboxEntry;
}

const MOST_TO_BEGIN_WITH = 100;

export interface InboxEventsDeps {
  feed: ConversationFeed;
  inbox: InboxService;
}

/** What happens in a workspace's inbox, as it happens. */
export class InboxEvents {
  readonly #deps: InboxEventsDeps;

  constructor(deps: InboxEventsDeps) {
    this.#deps = deps;
  }

  /** Begins with the longest waiting, and does so again whenever changes may have been missed. */
  async *of(scope: MemberScope, signal: AbortSignal): AsyncGenerator<InboxEvent> {
    const { feed, inbox } = this.#deps;
    for await (const changed of feed.changesOf(scope.orgId, signal)) {
      const entries = changed
        ? await inbox.entriesOf(scope, [...changed])
        : (await inbox.list(scope, { page_size: MOST_TO_BEGIN_WITH })).items;
      for (const entry of entries) {
        yield { type: isHandoff(entry.conversation.status) ? 'item' : 'removed', entry };
      }
    }
  }
}

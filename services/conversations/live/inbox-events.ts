import { isHandoff } from '../../../entities/conversations/conversation.entity.ts';
import type { MemberScope } from '../../team/member-scope.ts';
import type { InboxEntry, InboxService } from '../inbox-service.ts';
import type { ConversationFeed } from './conversation-feed.ts';
import { SessionStreams } from './session-streams.ts';

/** A conversation that is in the inbox, or has just left it. */
export type InboxEvent = { type: 'item'; entry: InboxEntry } | { type: 'removed'; id: string };

const MOST_TO_BEGIN_WITH = 100;
/** Streams of a person, and of that person's keys, in one workspace at this process: pages and programs that a person may have open. */
const MAX_STREAMS = 50;

export interface InboxEventsDeps {
  feed: ConversationFeed;
  inbox: InboxService;
}

/** What happens in a workspace's inbox, as it happens. */
export class InboxEvents {
  readonly #deps: InboxEventsDeps;
  readonly #streams = new SessionStreams(MAX_STREAMS);

  constructor(deps: InboxEventsDeps) {
    this.#deps = deps;
  }

  /**
   * Begins with the longest waiting. Ends when changes may have been missed: what has left is seen by who lists anew. Ends as well when
   * newer streams of the person take its place.
   * @param mayListen asked before each change is told; it ends with a no
   */
  async *of(
    scope: MemberScope,
    signal: AbortSignal,
    mayListen: () => Promise<boolean>,
  ): AsyncGenerator<InboxEvent> {
    const { displaced, close } = this.#streams.open(`${scope.orgId} ${scope.userId}`);
    try {
      yield* this.#changes(scope, AbortSignal.any([signal, displaced]), mayListen);
    } finally {
      close();
    }
  }

  async *#changes(
    scope: MemberScope,
    signal: AbortSignal,
    mayListen: () => Promise<boolean>,
  ): AsyncGenerator<InboxEvent> {
    const { feed, inbox } = this.#deps;
    let hasBegun = false;
    for await (const changed of feed.changesOf([scope.orgId], signal)) {
      if (hasBegun && (changed === null || !(await mayListen()))) return;
      hasBegun = true;
      const entries = changed
        ? await inbox.entriesOf(scope, [...changed])
        : (await inbox.list(scope, { page_size: MOST_TO_BEGIN_WITH })).items;
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

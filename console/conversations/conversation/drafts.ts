import { Store } from '../../hooks/store.ts';
import { OutgoingReplies } from './outgoing-replies.ts';
import { forgetKept, hasKept, keep, readKept } from './tab-memory.ts';

/** A reply that was begun and has not been sent; the tab keeps it over a reload. */
class Draft extends Store<string> {
  constructor(conversationId: string) {
    super(readKept('draft', conversationId) ?? '');
    this.subscribe(() => keep('draft', conversationId, this.value || null));
  }
}

/** What somebody who has signed in writes in one conversation: what they type, and what is on its way. */
export interface Writing {
  draft: Draft;
  outgoing: OutgoingReplies;
}

/** By conversation. */
export class Drafts {
  readonly #writings = new Map<string, Writing>();

  of(conversationId: string): Writing {
    const writing = this.#writings.get(conversationId) ?? {
      draft: new Draft(conversationId),
      outgoing: new OutgoingReplies(conversationId),
    };
    this.#writings.set(conversationId, writing);
    return writing;
  }

  /** Replies that are on their way are not followed any more. */
  close(): void {
    for (const { outgoing } of this.#writings.values()) outgoing.close();
  }
}

export function forgetDrafts(): void {
  forgetKept('draft');
  forgetKept('outgoing');
}

export function hasDrafts(): boolean {
  return hasKept('draft') || hasKept('outgoing');
}

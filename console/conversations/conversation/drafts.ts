import { Store } from '../../client/store.ts';
import { OutgoingReplies } from './outgoing-replies.ts';
import { deleteTabValues, hasTabValues, storeTabValue, readTabValue } from './tab-storage.ts';

/** A reply that the user has not sent yet. Session storage keeps it across reloads. */
class Draft extends Store<string> {
  constructor(conversationId: string) {
    super(readTabValue('draft', conversationId) ?? '');
    this.subscribe(() => storeTabValue('draft', conversationId, this.value || null));
  }
}

/** Unsent draft and outgoing replies of the user in one conversation. */
export interface Writing {
  draft: Draft;
  outgoing: OutgoingReplies;
}

/** Unsent drafts and outgoing replies, by conversation. */
export class Drafts {
  readonly #writings = new Map<string, Writing>();

  getOrCreate(conversationId: string): Writing {
    const writing = this.#writings.get(conversationId) ?? {
      draft: new Draft(conversationId),
      outgoing: new OutgoingReplies(conversationId),
    };
    this.#writings.set(conversationId, writing);
    return writing;
  }

  /** Stops sending the replies of all conversations. */
  close(): void {
    for (const { outgoing } of this.#writings.values()) outgoing.close();
  }
}

export function deleteDrafts(): void {
  deleteTabValues('draft');
  deleteTabValues('outgoing');
}

export function hasDrafts(): boolean {
  return hasTabValues('draft') || hasTabValues('outgoing');
}

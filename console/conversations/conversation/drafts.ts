import { Store } from '../../client/store.ts';
import { OutgoingReplies } from './composer/outgoing-replies.ts';
import { deleteTabValues, hasTabValues, storeTabValue, readTabValue } from './tab-storage.ts';

/** A reply or note that the user has not sent yet. Session storage keeps the draft across reloads. */
class Draft extends Store<string> {
  constructor(kind: 'draft' | 'note', conversationId: string) {
    super(readTabValue(kind, conversationId) ?? '');
    this.subscribe(() => storeTabValue(kind, conversationId, this.value || null));
  }
}

/** Unsent drafts and outgoing replies of the user in one conversation. */
export interface Writing {
  draft: Draft;
  note: Draft;
  outgoing: OutgoingReplies;
}

/** Unsent drafts and outgoing replies, by conversation. */
export class Drafts {
  readonly #writings = new Map<string, Writing>();

  getOrCreate(conversationId: string): Writing {
    const writing = this.#writings.get(conversationId) ?? {
      draft: new Draft('draft', conversationId),
      note: new Draft('note', conversationId),
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
  deleteTabValues('note');
  deleteTabValues('outgoing');
}

export function hasDrafts(): boolean {
  return (['draft', 'note', 'outgoing'] as const).some(hasTabValues);
}

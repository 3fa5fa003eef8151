import { textWithLinks } from '../../../adapters/messaging/message-content.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import { connectedText } from './message-texts.ts';
import type { AlertConnectionService } from '../channels/alert-connection-service.ts';
import { destinationOf } from '../channels/destination.ts';

const MOST = 100;

export interface KeptMessage {
  channel: AlertChannel;
  destination: string;
  text: string;
  at: Date;
}

export interface KeptMessagesDeps {
  messages: AlertMessageRepository;
  queue: AlertQueue;
  connections: AlertConnectionService;
}

/** What no messaging app was there to take. */
export class KeptMessages {
  readonly #deps: KeptMessagesDeps;

  constructor(deps: KeptMessagesDeps) {
    this.#deps = deps;
  }

  /** Newest first, without those whose key is unavailable. */
  async list(db: Database): Promise<KeptMessage[]> {
    const { messages, queue } = this.#deps;
    const kept = await messages.listKept(db, MOST);
    return kept.flatMap((message) => {
      const content = queue.open(message);
      const { channel, destination, createdAt: at } = message;
      return content ? [{ channel, destination, text: textWithLinks(content), at }] : [];
    });
  }

  /** Opens a link, as somebody in the chat does; returns what to tell of it, or null where it is good no more. */
  async open(db: Database, channel: AlertChannel, code: string, typed: string): Promise<string | null> {
    const destination = destinationOf(channel, typed);
    if (destination === null) return null;
    const opened = { code, destination, name: 'You', consent: null };
    const workspace = await this.#deps.connections.connect(db, channel, opened);
    return workspace && `${destination}: ${connectedText(workspace)}`;
  }
}

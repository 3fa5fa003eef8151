import { textWithLinks } from '../../../adapters/messaging/message-content.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import { connectedText } from './message-texts.ts';
import type { AlertConnectionService } from '../channels/alert-connection-service.ts';
import { destinationOf } from '../channels/destination.ts';

const MAX_SHOWN = 100;

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

/** Shows messages that were captured because no messaging app is configured. */
export class KeptMessages {
  readonly #deps: KeptMessagesDeps;

  constructor(deps: KeptMessagesDeps) {
    this.#deps = deps;
  }

  /** Newest first. Omits messages whose key is unavailable. */
  async list(db: Database): Promise<KeptMessage[]> {
    const { messages, queue } = this.#deps;
    const captured = await messages.listKept(db, MAX_SHOWN);
    return captured.flatMap((message) => {
      const content = queue.open(message);
      const { channel, destination, createdAt: at } = message;
      return content ? [{ channel, destination, text: textWithLinks(content), at }] : [];
    });
  }

  /**
   * Opens a connection link in place of a chat. Returns the reply, or null if the link or the destination is invalid.
   */
  async open(db: Database, channel: AlertChannel, code: string, typed: string): Promise<string | null> {
    const destination = destinationOf(channel, typed);
    if (destination === null) return null;
    const opened = { code, destination, name: 'You', consent: null };
    const workspace = await this.#deps.connections.connect(db, channel, opened);
    return workspace && `${destination}: ${connectedText(workspace)}`;
  }
}

import { toTextWithLinks } from '../../../adapters/messaging/message-content.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertChannel } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertQueue } from '../alert-queue.ts';
import { composeConnectedReply } from './message-texts.ts';
import type { AlertConnectionService } from '../channels/alert-connection-service.ts';
import { parseDestination } from '../channels/destination.ts';

const MAX_SHOWN = 100;

export interface CapturedMessage {
  channel: AlertChannel;
  destination: string;
  text: string;
  at: Date;
}

export interface CapturedMessagesDeps {
  messages: AlertMessageRepository;
  queue: AlertQueue;
  connections: AlertConnectionService;
}

/** Shows alert messages that were captured instead of sent, because no messaging app is configured. */
export class CapturedMessages {
  readonly #deps: CapturedMessagesDeps;

  constructor(deps: CapturedMessagesDeps) {
    this.#deps = deps;
  }

  /** Lists captured alert messages, newest first. Omits messages whose encryption key is unavailable. */
  async list(db: Database): Promise<CapturedMessage[]> {
    const { messages, queue } = this.#deps;
    const captured = await messages.listCaptured(db, MAX_SHOWN);
    return captured.flatMap((message) => {
      const content = queue.open(message);
      const { channel, destination, createdAt: at } = message;
      return content ? [{ channel, destination, text: toTextWithLinks(content), at }] : [];
    });
  }

  /**
   * Acts like a person who opens a connection link in a messaging app. Returns the reply; null if the link or
   * the destination is invalid.
   */
  async openConnectionLink(
    db: Database,
    channel: AlertChannel,
    code: string,
    typedDestination: string,
  ): Promise<string | null> {
    const destination = parseDestination(channel, typedDestination);
    if (destination === null) return null;
    const link = { code, destination, name: 'You', consent: null };
    const workspace = await this.#deps.connections.connect(db, channel, link);
    return workspace && `${destination}: ${composeConnectedReply(workspace)}`;
  }
}

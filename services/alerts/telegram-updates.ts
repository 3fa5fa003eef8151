import type { TelegramClient, TelegramReply } from '../../adapters/messaging/telegram-client.ts';
import { telegramAccount } from '../../adapters/messaging/telegram-messenger.ts';
import { languageFor } from '../../core/languages.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type { AlertAttemptRepository } from '../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertProviderRepository } from '../../repositories/alerts/alert-provider.repository.ts';
import type { AlertConnectionService } from './connections.service.ts';
import { connectedText } from './message-texts.ts';
import { messageWords } from './message-words.ts';

/** Telegram holds its answer back so long while nothing happens. */
const POLL_SECONDS = 20;
const POLL_MARGIN_MS = 10_000;
const MISCONFIGURED_MS = 5 * 60_000;
const FAULT_MS = 5000;
const MOST_UPDATES = 100;
/** In groups the name of the bot follows the command. */
const START = /^\/start(?:@\w+)?\s+([A-Za-z0-9_-]{43})\s*$/;

interface Chat {
  id: number | string;
  title?: string;
  username?: string;
  first_name?: string;
  last_name?: string;
}

interface Update {
  update_id: number;
  message?: { message_id: number; text?: string; chat: Chat; from?: { language_code?: string } };
}

interface Said {
  chat_id: string;
  text: string;
}

/** What reading came to: whether to go on, and after which pause. */
export interface ReadUpdates {
  isAnyExpected: boolean;
  fault: string | null;
  /** The bot is not set up as it must be. */
  isOurs: boolean;
  /** The first pause; it grows as long as nothing can be read. */
  waitMs: number;
}

const FAULTLESS = { fault: null, isOurs: false, waitMs: 0 };

export interface TelegramUpdatesDeps {
  /** Undefined where no bot is set. */
  telegram: { client: TelegramClient; token: string } | undefined;
  attempts: AlertAttemptRepository;
  providers: AlertProviderRepository;
  connections: AlertConnectionService;
  log: Logger;
}

/** Who has opened a link to the bot. Nobody else may read its updates at the same time: Telegram hands each out once. */
export class TelegramUpdates {
  readonly #deps: TelegramUpdatesDeps;

  constructor(deps: TelegramUpdatesDeps) {
    this.#deps = deps;
  }

  /** Reads what has come since the last time, and waits a while for more. */
  async read(db: Database, signal: AbortSignal): Promise<ReadUpdates> {
    const { telegram, attempts, providers } = this.#deps;
    const isAnyExpected = await attempts.isAnyOpen(db, 'telegram');
    if (!telegram || !isAnyExpected) return { isAnyExpected: false, ...FAULTLESS };
    const account = telegramAccount(telegram.token);
    const offset = await providers.getCursor(db, 'telegram', account);
    const reply = await telegram.client.call<Update[]>(
      'getUpdates',
      { offset, limit: MOST_UPDATES, timeout: POLL_SECONDS, allowed_updates: ['message'] },
      { timeoutMs: POLL_SECONDS * 1000 + POLL_MARGIN_MS, signal },
    );
    if (reply.ok !== true) return this.#faultOf(reply);
    for (const update of reply.result) {
      const reply = await db.transaction(async (tx) => {
        await providers.moveCursor(tx, 'telegram', account, update.update_id + 1);
        return this.#take(tx, update);
      });
      if (reply) await this.#say(telegram.client, reply);
    }
    return { isAnyExpected: await attempts.isAnyOpen(db, 'telegram'), ...FAULTLESS };
  }

  /** Returns what to say in the chat, if anything. */
  async #take(db: Database, { message }: Update): Promise<Said | null> {
    const { connections } = this.#deps;
    const [, code] = START.exec(message?.text ?? '') ?? [];
    if (!message || code === undefined) return null;
    const { chat, from } = message;
    const opened = {
      code,
      destination: String(chat.id),
      name: nameOf(chat),
      consent: String(message.message_id),
    };
    const workspace = await connections.connect(db, 'telegram', opened);
    // A link that is used up is of no workspace: whoever opens it is spoken to as Telegram speaks to them.
    const text = workspace
      ? connectedText(workspace)
      : messageWords[languageFor([from?.language_code ?? 'en'])].linkUsedUp;
    return { chat_id: opened.destination, text };
  }

  async #say(client: TelegramClient, message: Said): Promise<void> {
    const { log } = this.#deps;
    const said = await client.call('sendMessage', message, { timeoutMs: FAULT_MS });
    if (said.ok !== true)
      log.warn({ reason: said.description }, 'nobody could be told that a chat is connected');
  }

  #faultOf(reply: Exclude<TelegramReply<Update[]>, { ok: true }>): ReadUpdates {
    const { log } = this.#deps;
    const status = reply.ok === false ? reply.status : 0;
    const isOurs = [401, 404, 409].includes(status);
    const fault = `Telegram: ${reply.description}`;
    if (isOurs) log.error({ reason: reply.description }, 'the bot at Telegram is not set up as it must be');
    const pauseMs =
      reply.ok === false && reply.retryAfterSeconds !== null
        ? (reply.retryAfterSeconds + 1) * 1000
        : FAULT_MS;
    // After a crash it may have been Parley itself who read until now, and somebody waits.
    return {
      isAnyExpected: true,
      fault,
      isOurs,
      waitMs: isOurs && status !== 409 ? MISCONFIGURED_MS : pauseMs,
    };
  }
}

function nameOf({ title, first_name: first, last_name: last, username }: Chat): string | null {
  const name = title ?? [first, last].filter((part) => part).join(' ');
  const shown = name || username;
  return shown ? cutText(shown, 200) : null;
}

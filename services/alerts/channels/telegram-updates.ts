import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import type { TelegramClient, TelegramReply } from '../../../adapters/messaging/telegram-client.ts';
import { telegramAccount } from '../../../adapters/messaging/telegram-messenger.ts';
import { languageFor } from '../../../core/languages.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { storableText } from '../../../core/text/storable-text.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertAttemptRepository } from '../../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertProviderRepository } from '../../../repositories/alerts/alert-provider.repository.ts';
import type { AlertConnectionService, OpenedLink } from './alert-connection-service.ts';
import { connectedText } from '../messages/message-texts.ts';
import { messageWords } from '../messages/message-words.ts';

/** Telegram holds its answer back so long while nothing happens. */
const POLL_SECONDS = 20;
const POLL_MARGIN_MS = 10_000;
const MISCONFIGURED_MS = 5 * 60_000;
const FAULT_MS = 5000;
const MOST_UPDATES = 100;
/** Chats that are told at once that their link is used up: more would take the messages a second that alerts need. */
const MAX_REFUSALS = 10;
/** All replies of one reading: with the poll it stays below the minute that an activity has. */
const REPLIES_MS = 15_000;
/** Longer than any command or name. */
const MAX_TEXT_LENGTH = 200;
/** In groups the name of the bot follows the command. */
const START = /^\/start(?:@\w+)?\s+([A-Za-z0-9_-]{43})\s*$/;

/** What Telegram hands out, of which nothing is certain. */
interface Update {
  update_id?: unknown;
  message?: {
    message_id?: unknown;
    text?: unknown;
    chat?: { id?: unknown; title?: unknown; username?: unknown; first_name?: unknown; last_name?: unknown };
    from?: { language_code?: unknown };
  };
}

/** A link that was opened in a chat. */
interface Start {
  updateId: number;
  opened: OpenedLink;
  /** What the chat's person speaks. */
  languageCode: string;
}

interface Reply {
  chatId: string;
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

const UNREADABLE = {
  ok: 'unsure',
  description: 'Telegram’s updates could not be read.',
  isSent: true,
} as const;
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
    const reply = await telegram.client.call<unknown>(
      'getUpdates',
      { offset, limit: MOST_UPDATES, timeout: POLL_SECONDS, allowed_updates: ['message'] },
      { timeoutMs: POLL_SECONDS * 1000 + POLL_MARGIN_MS, signal },
    );
    if (reply.ok !== true) return this.#faultOf(reply);
    const updates = Array.isArray(reply.result) ? (reply.result as (Update | null)[]) : [null];
    const last = Math.max(...updates.map(updateIdOf));
    if (updates.length > 0 && last < 0) return this.#faultOf(UNREADABLE);
    const starts = updates.flatMap((update) => startOf(update) ?? []);
    const replies = await this.#takeAll(db, account, starts);
    if (last >= 0) await providers.moveCursor(db, 'telegram', account, last + 1);
    await this.#say(telegram.client, replies);
    return { isAnyExpected: await attempts.isAnyOpen(db, 'telegram'), ...FAULTLESS };
  }

  /** Ties chats whose links are open, each in a transaction of its own; returns what to tell the chats. */
  async #takeAll(db: Database, account: string, starts: readonly Start[]): Promise<Reply[]> {
    const { attempts, connections, providers } = this.#deps;
    const digests = starts.map(({ opened }) => digestSecret(opened.code));
    const open = new Set(await attempts.listOpen(db, 'telegram', digests));
    const replies: Reply[] = [];
    const refused = new Map<string, Reply>();
    for (const [index, { updateId, opened, languageCode }] of starts.entries()) {
      const workspace = open.has(digests[index]!)
        ? await db.transaction(async (tx) => {
            await providers.moveCursor(tx, 'telegram', account, updateId + 1);
            return connections.connect(tx, 'telegram', opened);
          })
        : null;
      const chatId = opened.destination;
      if (workspace) replies.push({ chatId, text: connectedText(workspace) });
      // A link that is used up is of no workspace: whoever opens it is spoken to as Telegram speaks to them.
      else if (refused.size < MAX_REFUSALS && !replies.some((each) => each.chatId === chatId))
        refused.set(chatId, { chatId, text: messageWords[languageFor([languageCode])].linkUsedUp });
    }
    return [...replies, ...refused.values()];
  }

  /** Within a bounded time: chats that are slow, or that Telegram refuses, keep nobody from being connected. */
  async #say(client: TelegramClient, replies: readonly Reply[]): Promise<void> {
    const { log } = this.#deps;
    const endsAt = performance.now() + REPLIES_MS;
    for (const { chatId, text } of replies) {
      const timeoutMs = Math.min(FAULT_MS, Math.round(endsAt - performance.now()));
      if (timeoutMs <= 0) return;
      const said = await client.call('sendMessage', { chat_id: chatId, text }, { timeoutMs });
      if (said.ok !== true)
        log.warn({ reason: said.description }, 'nobody could be told that a chat is connected');
    }
  }

  #faultOf(reply: Exclude<TelegramReply<unknown>, { ok: true }>): ReadUpdates {
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

/** Null for anything but the command that opens a link. */
function startOf(update: Update | null): Start | null {
  const { message } = update ?? {};
  const updateId = updateIdOf(update);
  const [, code] = START.exec(textOf(message?.text)) ?? [];
  const destination = chatIdOf(message?.chat?.id);
  if (code === undefined || destination === null || updateId < 0) return null;
  const opened = { code, destination, name: nameOf(message?.chat), consent: String(message?.message_id) };
  return { updateId, opened, languageCode: textOf(message?.from?.language_code) || 'en' };
}

/** Negative for none. */
function updateIdOf(update: Update | null): number {
  const id = update?.update_id;
  return typeof id === 'number' && Number.isSafeInteger(id) ? id : -1;
}

function chatIdOf(id: unknown): string | null {
  return typeof id === 'number' && Number.isSafeInteger(id) ? String(id) : null;
}

function nameOf(chat: NonNullable<Update['message']>['chat']): string | null {
  const name = textOf(chat?.title) || [chat?.first_name, chat?.last_name].map(textOf).join(' ').trim();
  return cutText(name, MAX_TEXT_LENGTH) || textOf(chat?.username) || null;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? storableText(cutText(value, MAX_TEXT_LENGTH)) : '';
}

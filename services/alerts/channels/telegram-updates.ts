import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import { asObject, readInteger, readTextValue } from '../../../adapters/http/response-values.ts';
import {
  readChatId,
  type TelegramClient,
  type TelegramReply,
} from '../../../adapters/messaging/telegram-client.ts';
import { digestTelegramToken } from '../../../adapters/messaging/telegram-messenger.ts';
import { chooseLanguage } from '../../../core/languages.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { toSingleLine } from '../../../core/text/single-line.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertAttemptRepository } from '../../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertProviderRepository } from '../../../repositories/alerts/alert-provider.repository.ts';
import type { AlertConnectionService, OpenedLink } from './alert-connection-service.ts';
import { composeConnectedReply } from '../messages/message-texts.ts';
import { messageWords } from '../messages/message-words.ts';

/** Duration in seconds of a long poll: Telegram responds after this time if no updates arrive. */
const POLL_SECONDS = 20;
const POLL_MARGIN_MS = 10_000;
const MISCONFIGURED_MS = 5 * 60_000;
const FAULT_MS = 5000;
/** Time in milliseconds added to each pause that Telegram requires after too many requests. */
const PAUSE_MARGIN_MS = 1000;
/**
 * Maximum number of Telegram updates to read at once, by attempt. If a response is too large to read, as with
 * a hundred long messages, the next attempt requests fewer updates.
 */
const MAX_UPDATES = [100, 10, 1];
/**
 * Time limit, in milliseconds, for a further attempt to read the same updates. The limit is short, because
 * the updates are available at once.
 */
const REPEATED_READ_MS = 5000;
/**
 * Maximum number of replies, after each read of updates, to chats whose connection link was used already.
 * More replies would use up the rate limit that alerts need.
 */
const MAX_REFUSALS = 10;
/**
 * Time limit in milliseconds for all replies after a read of updates. Together with the long poll, it stays
 * below the activity's timeout of one minute.
 */
const REPLIES_MS = 15_000;
const MAX_NAME_LENGTH = 200;
/** Matches the Telegram command that opens a connection link. In groups, the bot's name follows `/start`. */
const START = /^\/start(?:@\w+)?\s+([A-Za-z0-9_-]{43})\s*$/;

/** A connection link that a person opened in a Telegram chat. */
interface Start {
  updateId: number;
  opened: OpenedLink;
  /** Language of the person who opened the link. */
  languageCode: string;
}

interface Reply {
  chatId: string;
  text: string;
}

/** Result of reading Telegram updates: whether to read again, and after which pause. */
export interface UpdatesResult {
  isAnyExpected: boolean;
  fault: string | null;
  /** True if reading failed because of the Telegram bot's configuration. */
  isMisconfigured: boolean;
  /** Pause in milliseconds before the next read of updates. The workflow extends it while reads fail. */
  waitMs: number;
}

const UNREADABLE = {
  ok: 'unsure',
  description: 'Telegram’s updates could not be read.',
  cause: 'unreadable',
} as const;
const FAULTLESS = { fault: null, isMisconfigured: false, waitMs: 0 };

export interface TelegramUpdatesDeps {
  /** Client and token of the Telegram bot; undefined if none is configured. */
  telegram: { client: TelegramClient; token: string } | undefined;
  attempts: AlertAttemptRepository;
  providers: AlertProviderRepository;
  connections: AlertConnectionService;
  log: Logger;
}

/**
 * Reads from Telegram which connection links were opened. Telegram delivers each update only once, so only
 * one process may read the bot's updates.
 */
export class TelegramUpdates {
  readonly #deps: TelegramUpdatesDeps;

  constructor(deps: TelegramUpdatesDeps) {
    this.#deps = deps;
  }

  /**
   * Reads the updates that have arrived at the Telegram bot since the last read. If there are no updates,
   * waits for new updates with a long poll.
   */
  async read(db: Database, signal: AbortSignal): Promise<UpdatesResult> {
    const { telegram, attempts, providers } = this.#deps;
    const isAnyExpected = await attempts.hasUnfinished(db, 'telegram');
    if (!telegram || !isAnyExpected) return { isAnyExpected: false, ...FAULTLESS };
    const account = digestTelegramToken(telegram.token);
    const offset = await providers.getCursor(db, 'telegram', account);
    const reply = await this.#getUpdates(telegram.client, offset, signal);
    if (reply.ok !== true) return this.#toFault(reply);
    const updates = Array.isArray(reply.result) ? reply.result.slice(0, MAX_UPDATES[0]) : [null];
    const last = Math.max(...updates.map(readUpdateId));
    if (updates.length > 0 && last < 0) return this.#toFault(UNREADABLE);
    const starts = updates.flatMap((update) => parseStart(update) ?? []);
    const replies = await this.#connectChats(db, account, starts);
    if (last >= 0) await providers.moveCursor(db, 'telegram', account, last + 1);
    await this.#sendReplies(telegram.client, replies);
    return { isAnyExpected: await attempts.hasUnfinished(db, 'telegram'), ...FAULTLESS };
  }

  /** Long-polls Telegram for updates. If the response could not be read, requests fewer updates. */
  async #getUpdates(client: TelegramClient, offset: number, signal: AbortSignal): Promise<TelegramReply> {
    let reply: TelegramReply = UNREADABLE;
    for (const [repeats, limit] of MAX_UPDATES.entries()) {
      const isFirst = repeats === 0;
      reply = await client.call(
        'getUpdates',
        { offset, limit, timeout: isFirst ? POLL_SECONDS : 0, allowed_updates: ['message'] },
        { timeoutMs: isFirst ? POLL_SECONDS * 1000 + POLL_MARGIN_MS : REPEATED_READ_MS, signal },
      );
      if (reply.ok !== 'unsure' || reply.cause !== 'unreadable') return reply;
    }
    return reply;
  }

  /**
   * Connects the chats in which a valid connection link was opened, each in its own transaction. Returns the
   * replies to send.
   */
  async #connectChats(db: Database, account: string, starts: readonly Start[]): Promise<Reply[]> {
    const { attempts, connections, providers } = this.#deps;
    const digests = starts.map(({ opened }) => digestSecret(opened.code));
    const pendingDigests = new Set(await attempts.listUnfinished(db, 'telegram', digests));
    const replies: Reply[] = [];
    const refused = new Map<string, Reply>();
    for (const [index, { updateId, opened, languageCode }] of starts.entries()) {
      const workspace = pendingDigests.has(digests[index]!)
        ? await db.transaction(async (tx) => {
            await providers.moveCursor(tx, 'telegram', account, updateId + 1);
            return connections.connect(tx, 'telegram', opened);
          })
        : null;
      const chatId = opened.destination;
      if (workspace) replies.push({ chatId, text: composeConnectedReply(workspace) });
      // Replies in the language of the person who opened the link, because a used link no longer belongs to a
      // workspace.
      else if (refused.size < MAX_REFUSALS && !replies.some((each) => each.chatId === chatId))
        refused.set(chatId, { chatId, text: messageWords[chooseLanguage([languageCode])].linkUsedUp });
    }
    return [...replies, ...refused.values()];
  }

  /**
   * Sends replies to Telegram chats until a time limit, so that slow chats do not delay other connections.
   */
  async #sendReplies(client: TelegramClient, replies: readonly Reply[]): Promise<void> {
    const { log } = this.#deps;
    const endsAt = performance.now() + REPLIES_MS;
    for (const { chatId, text } of replies) {
      const timeoutMs = Math.min(FAULT_MS, Math.round(endsAt - performance.now()));
      if (timeoutMs <= 0) return;
      const response = await client.call('sendMessage', { chat_id: chatId, text }, { timeoutMs });
      if (response.ok !== true)
        log.warn({ reason: response.description }, 'cannot send a reply to a Telegram chat');
    }
  }

  #toFault(reply: Exclude<TelegramReply, { ok: true }>): UpdatesResult {
    const { log } = this.#deps;
    const status = reply.ok === false ? reply.status : 0;
    const isMisconfigured = [401, 404, 409].includes(status);
    const fault = `Telegram: ${reply.description}`;
    if (isMisconfigured) log.error({ reason: reply.description }, 'Telegram bot is misconfigured');
    const requestedMs = reply.ok === false ? reply.retryAfterMs : null;
    const pauseMs = requestedMs === null ? FAULT_MS : requestedMs + PAUSE_MARGIN_MS;
    // Reads again soon after Telegram's status 409, which reports another reader of the bot. This reader may
    // be a crashed process of Parley, and a person may be waiting for a connection.
    return {
      isAnyExpected: true,
      fault,
      isMisconfigured,
      waitMs: isMisconfigured && status !== 409 ? MISCONFIGURED_MS : pauseMs,
    };
  }
}

/**
 * Parses the Telegram command that opens a connection link; null for any other update. Fields of an update
 * may be missing or have another type.
 */
function parseStart(update: unknown): Start | null {
  const updateId = readUpdateId(update);
  const { message_id: messageId, text, chat, from } = asObject(asObject(update)['message']);
  const [, code] = START.exec(readTextValue(text)) ?? [];
  const destination = readChatId(asObject(chat)['id']);
  const consent = readInteger(messageId);
  if (code === undefined || destination === null || consent === null || updateId < 0) return null;
  const opened = { code, destination, name: readChatName(chat), consent: String(consent) };
  return { updateId, opened, languageCode: readTextValue(asObject(from)['language_code']) || 'en' };
}

/** Returns the id of a Telegram update; -1 if it has none. */
function readUpdateId(update: unknown): number {
  return readInteger(asObject(update)['update_id']) ?? -1;
}

function readChatName(chat: unknown): string | null {
  const { title, first_name: first, last_name: last, username } = asObject(chat);
  const name =
    readTextValue(title) ||
    [first, last]
      .map((part) => readTextValue(part))
      .join(' ')
      .trim();
  return cutText(toSingleLine(name), MAX_NAME_LENGTH) || readTextValue(username) || null;
}

import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { asObject, readInteger } from '../http/response-values.ts';
import type { Messenger, OutgoingMessage, SendOutcome } from './messenger.ts';
import type { TelegramClient, TelegramReply } from './telegram-client.ts';
import { toTelegramText } from './telegram-text.ts';

/** Matches error descriptions of Telegram that mean that the bot cannot write to the chat. */
const UNREACHABLE =
  /chat not found|user is deactivated|peer_id_invalid|chat_write_forbidden|not enough rights|have no rights|kicked|need administrator rights|bot is not a member|group chat was deactivated/i;

export interface TelegramMessengerOptions {
  client: TelegramClient;
  token: string;
  perSecond: number;
  timeoutMs: number;
}

type Refusal = Extract<TelegramReply, { ok: false }>;

/** Delay in milliseconds before a message is sent again if Telegram requests none. */
const MIN_PAUSE_MS = 1000;
/** Time in milliseconds that is added to each delay that Telegram requests. */
const PAUSE_MARGIN_MS = 1000;

export class TelegramMessenger implements Messenger {
  readonly account: string;
  readonly perSecond: number;
  /**
   * Minimum time in milliseconds between two messages to a chat. Telegram tolerates short bursts, then
   * refuses all messages to the chat.
   */
  readonly chatPauseMs = 1000;
  readonly reportsStatus = false;
  readonly #options: TelegramMessengerOptions;

  constructor(options: TelegramMessengerOptions) {
    this.#options = options;
    this.perSecond = options.perSecond;
    this.account = digestTelegramToken(options.token);
  }

  async send({ destination, content }: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const { client, timeoutMs } = this.#options;
    const message = {
      chat_id: destination,
      ...toTelegramText(content),
      link_preview_options: { is_disabled: true },
    };
    const reply = await client.call('sendMessage', message, { timeoutMs, signal });
    if (reply.ok === true) return { kind: 'accepted', providerId: readMessageId(destination, reply.result) };
    // Count the message as accepted, since a retry would send it twice.
    if (reply.ok === 'unsure' && reply.cause === 'unreadable') return { kind: 'accepted', providerId: null };
    if (reply.ok === 'unsure')
      return {
        kind: 'later',
        reason: reply.description,
        waitMs: null,
        mayBeDelivered: reply.cause !== 'unsent',
      };
    return classifyRefusal(reply);
  }
}

/** Returns a digest that identifies a Telegram bot without revealing its token. */
export function digestTelegramToken(token: string): string {
  return digestSecret(token);
}

/** Returns the id of a message that Telegram has accepted; null if Telegram returned none. */
function readMessageId(destination: string, result: unknown): string | null {
  const id = readInteger(asObject(result)['message_id']);
  return id === null ? null : `${destination}/${id}`;
}

function classifyRefusal({ status, description, retryAfterMs, migratedTo }: Refusal): SendOutcome {
  if (migratedTo !== null) return { kind: 'moved', destination: migratedTo };
  if (status === 429) {
    const waitMs = (retryAfterMs ?? MIN_PAUSE_MS) + PAUSE_MARGIN_MS;
    return {
      kind: 'later',
      reason: 'Telegram is not accepting more messages at the moment.',
      waitMs,
      mayBeDelivered: false,
    };
  }
  if (status === 401 || status === 404 || status === 409)
    return { kind: 'misconfigured', reason: `Telegram rejects the bot: ${description}` };
  if (status === 403 || UNREACHABLE.test(description))
    return { kind: 'blocked', reason: describeBlock(description) };
  if (status >= 500)
    return {
      kind: 'later',
      reason: `Telegram responded with status ${status}.`,
      waitMs: null,
      mayBeDelivered: status === 504,
    };
  return { kind: 'refused', reason: `Telegram rejected the message: ${description}` };
}

function describeBlock(description: string): string {
  if (/blocked/i.test(description)) return 'The bot was blocked in this chat.';
  if (/chat not found/i.test(description)) return 'There is no such chat, or the bot is not in it.';
  if (/kicked|not a member/i.test(description)) return 'The bot was removed from this chat.';
  return `The bot may not write in this chat: ${description}`;
}

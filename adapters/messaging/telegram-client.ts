import { parseChatId } from '../../core/alerts/chat-id.ts';
import { limitWaitMs, MAX_REQUESTED_WAIT_MS } from '../../core/concurrency/backoff.ts';
import { parseLightJson } from '../../core/text/json-weight.ts';
import { asObject, readInteger, readTextValue } from '../http/response-values.ts';
import type { OutboundClient, OutboundResponse } from '../http/outbound-client.ts';
import { OutboundError, type OutboundErrorKind } from '../http/outbound-error.ts';
import { isTruncatedSuccess } from './truncated-success.ts';

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;
/**
 * JSON limits of a response from Telegram. A hundred updates with the longest texts that Telegram permits
 * stay below.
 */
const MAX_WEIGHT = { values: 150_000, keys: 2000, levels: 64 };

const UNSENT: ReadonlySet<OutboundErrorKind> = new Set([
  'connection_refused',
  'dns_not_found',
  'dns_timeout',
  'tls',
]);

export interface TelegramClientOptions {
  client: Pick<OutboundClient, 'request'>;
  apiUrl: string;
  token: string;
}

/**
 * Reason why the result of a call to Telegram is unknown: the request was not sent, had no proper response,
 * or Telegram performed the call with a response that is too large to parse.
 */
type UnsureCause = 'unsent' | 'unanswered' | 'unreadable';

/** Result of a call to Telegram; `unsure` if no readable response arrived. Never contains the bot's token. */
export type TelegramReply =
  /** Telegram performed the call. The result is not validated and may have any shape. */
  | { ok: true; result: unknown }
  | {
      ok: false;
      status: number;
      description: string;
      /**
       * Delay in milliseconds that Telegram requests before the next call, at most an hour; null if Telegram
       * requests none.
       */
      retryAfterMs: number | null;
      /** New id of a chat that Telegram has migrated to another chat; null if it was not migrated. */
      migratedTo: string | null;
    }
  | { ok: 'unsure'; description: string; cause: UnsureCause };

/** Client for Telegram's Bot API. */
export class TelegramClient {
  readonly #options: TelegramClientOptions;

  constructor(options: TelegramClientOptions) {
    this.#options = options;
  }

  async call(
    method: string,
    body: object,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TelegramReply> {
    const { client, apiUrl, token } = this.#options;
    try {
      const response = await client.request({
        url: `${apiUrl.replace(/\/$/, '')}/bot${token}/${method}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        onOverflow: 'truncate',
        redirect: 'manual',
        signal,
      });
      return parseTelegramReply(response);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      return {
        ok: 'unsure',
        description: error.message,
        cause: UNSENT.has(error.kind) ? 'unsent' : 'unanswered',
      };
    }
  }
}

/**
 * Parses a response from Telegram. Any field may be missing, or have another type or size than Telegram
 * documents.
 */
function parseTelegramReply(response: OutboundResponse): TelegramReply {
  const { status } = response;
  const json = response.body.toString('utf8');
  if (isTruncatedSuccess(response, json, MAX_WEIGHT))
    return { ok: 'unsure', description: 'Telegram’s response is too large.', cause: 'unreadable' };
  const answer = parseLightJson(json, MAX_WEIGHT);
  const { ok, result, error_code: code, description, parameters } = asObject(answer);
  if (ok === true) return { ok: true, result };
  if (answer === undefined && status < 400)
    return { ok: 'unsure', description: 'Telegram’s response could not be read.', cause: 'unanswered' };
  const { retry_after: seconds, migrate_to_chat_id: chatId } = asObject(parameters);
  return {
    ok: false,
    status: readInteger(code) ?? status,
    description: readTextValue(description) || `Telegram responded with status ${status}.`,
    retryAfterMs: typeof seconds === 'number' ? limitWaitMs(seconds * 1000, MAX_REQUESTED_WAIT_MS) : null,
    migratedTo: readChatId(chatId),
  };
}

/** Parses the id of a Telegram chat, which is a number, or a number as text. Null for any other value. */
export function readChatId(value: unknown): string | null {
  const id = readInteger(value) ?? value;
  return typeof id === 'number' || typeof id === 'string' ? parseChatId(String(id)) : null;
}

import { randomInt } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const TELEGRAM_BOT = 'parley_test_bot';

export interface SentText {
  chatId: string;
  text: string;
  entities: { type: string; offset: number; length: number; url?: string }[];
}

/** Fault of a chat. `mute`: Telegram accepts messages to the chat but never responds to the sender. */
export type ChatFault =
  | 'blocked'
  | 'absent'
  | 'hang'
  | 'mute'
  | 'down'
  | { floodSeconds: number; times: number }
  | { movedTo: string };

interface Update {
  update_id: number;
  message?: unknown;
}

type Reply = { status: number; body: object } | 'hang';

/** A token bucket, which limits a rate: it allows a burst, which refills with time. */
class TokenBucket {
  #left: number;
  #countedAt = performance.now();

  constructor(
    private readonly most: number,
    private readonly perSecond: number,
  ) {
    this.#left = most;
  }

  take(): boolean {
    const now = performance.now();
    this.#left = Math.min(this.most, this.#left + ((now - this.#countedAt) / 1000) * this.perSecond);
    this.#countedAt = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}

/**
 * An HTTP fake of the part of Telegram's Bot API that Parley and grammy use, with chats, updates and one
 * reader of updates.
 */
export class FakeTelegram {
  readonly sent: SentText[] = [];
  readonly faults = new Map<string, ChatFault>();
  attempts = 0;
  /** True to refuse messages with 429: above 30 a second, or above one a second to a chat after a burst of three. */
  hasLimits = false;
  floods = 0;
  isTokenGood = true;
  /** True if updates go to a webhook, so that the fake refuses getUpdates. */
  hasWebhook = false;
  /** Raw JSON responses to calls, by the name of the called method. */
  readonly scripts = new Map<string, string>();
  /**
   * Token that differs for each fake, since it identifies the reader of a bot's updates on the shared
   * Temporal server.
   */
  readonly token = `${randomInt(1e9, 1e10)}:AAEhBP0av28aVWDuDQ_test_token_x`;
  readonly #server = createServer((request, response) => void this.#serve(request, response));
  readonly #held = new Set<ServerResponse>();
  readonly #allowance = new TokenBucket(30, 30);
  readonly #allowances = new Map<string, TokenBucket>();
  #updates: Update[] = [];
  #nextUpdate = 1;
  #nextMessage = 1;
  #reader: { wake: () => void; conflict: () => void } | null = null;

  /** Number of unanswered requests to the fake whose sender still waits. */
  get hanging(): number {
    return [...this.#held].filter(({ destroyed }) => !destroyed).length;
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const response of this.#held) response.destroy();
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  /** Sends a person's message to the bot. */
  say(
    chat: { id: number; type?: 'private' | 'group'; title?: string; first_name?: string; last_name?: string },
    text: string,
    languageCode = 'en',
  ): void {
    const message = {
      message_id: this.#nextMessage++,
      date: 1_790_000_000,
      chat: { type: 'private', ...chat },
      from: { id: 1, is_bot: false, first_name: 'Ada', language_code: languageCode },
      text,
    };
    this.#updates.push({ update_id: this.#nextUpdate++, message });
    this.#reader?.wake();
  }

  /**
   * Adds an update with any message, which the bot has not read yet.
   * @param changes fields of the update itself
   */
  push(message: unknown, changes: object = {}): void {
    this.#updates.push({ update_id: this.#nextUpdate++, message, ...changes });
    this.#reader?.wake();
  }

  /** Deletes the updates that were not read, as Telegram does after a day. */
  dropUpdates(): void {
    this.#updates = [];
  }

  /** Sets the number of the next update: Telegram chooses a new number after a week without updates. */
  setNextUpdateId(updateId: number): void {
    this.#nextUpdate = updateId;
  }

  getTextsTo(chatId: string): string[] {
    return this.sent.filter((each) => each.chatId === chatId).map(({ text }) => text);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '') ?? [];
    const payload = (body === '' ? {} : JSON.parse(body)) as Record<string, unknown>;
    const isKnown = token === this.token && this.isTokenGood;
    const script = this.scripts.get(method);
    if (isKnown && script !== undefined) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(script);
      return;
    }
    const reply = isKnown
      ? await this.#call(method, payload, response)
      : buildTelegramError(401, 'Unauthorized');
    if (reply === 'hang') {
      this.#held.add(response);
      return;
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  }

  #call(method: string, payload: Record<string, unknown>, response: ServerResponse): Promise<Reply> | Reply {
    if (method === 'getMe')
      return buildTelegramResult({
        id: 123456789,
        is_bot: true,
        first_name: 'Parley',
        username: TELEGRAM_BOT,
      });
    if (method === 'getUpdates') return this.#read(payload, response);
    if (method === 'sendMessage') return this.#send(payload);
    return buildTelegramError(404, 'Not Found');
  }

  async #read(
    { offset = 0, timeout = 0, limit = 100 }: { offset?: number; timeout?: number; limit?: number },
    response: ServerResponse,
  ) {
    if (this.hasWebhook)
      return buildTelegramError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    // End the request of the current reader of updates with a conflict.
    this.#reader?.conflict();
    this.#reader = null;
    this.#updates = this.#updates.filter(({ update_id: id }) => !(id < offset));
    if (this.#updates.length > 0 || timeout === 0) return buildTelegramResult(this.#updates.slice(0, limit));
    const end = await new Promise<'woken' | 'conflict' | 'gone'>((resolve) => {
      const timer = setTimeout(() => resolve('woken'), timeout * 1000);
      const over = (how: 'woken' | 'conflict' | 'gone') => () => (clearTimeout(timer), resolve(how));
      this.#reader = { wake: over('woken'), conflict: over('conflict') };
      response.once('close', over('gone'));
    });
    if (end === 'conflict')
      return buildTelegramError(
        409,
        'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
      );
    if (end === 'woken') this.#reader = null;
    return buildTelegramResult(this.#updates.slice(0, limit));
  }

  #send(payload: Record<string, unknown>): Reply {
    const chatId = String(payload['chat_id']);
    const text = (payload['text'] as string | undefined) ?? '';
    this.attempts += 1;
    const refused = this.#takeFault(chatId) ?? this.#checkFlood(chatId);
    if (refused) return refused;
    if (text.length === 0) return buildTelegramError(400, 'Bad Request: message text is empty');
    if (text.length > 4096) return buildTelegramError(400, 'Bad Request: message is too long');
    this.sent.push({ chatId, text, entities: (payload['entities'] as SentText['entities']) ?? [] });
    if (this.faults.get(chatId) === 'mute') return 'hang';
    return buildTelegramResult({
      message_id: this.#nextMessage++,
      date: 1_790_000_000,
      chat: { id: Number(chatId), type: 'private' },
      text,
    });
  }

  #takeFault(chatId: string): Reply | null {
    const fault = this.faults.get(chatId);
    if (fault === undefined || fault === 'mute') return null;
    if (fault === 'hang') return 'hang';
    if (fault === 'blocked') return buildTelegramError(403, 'Forbidden: bot was blocked by the user');
    if (fault === 'down') return { status: 502, body: {} };
    if (fault === 'absent') return buildTelegramError(400, 'Bad Request: chat not found');
    if ('movedTo' in fault)
      return buildTelegramError(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: Number(fault.movedTo),
      });
    if (fault.times === 0) return null;
    fault.times -= 1;
    return buildFloodError(fault.floodSeconds);
  }

  #checkFlood(chatId: string): Reply | null {
    if (!this.hasLimits) return null;
    const ofChat = this.#allowances.get(chatId) ?? new TokenBucket(3, 1);
    this.#allowances.set(chatId, ofChat);
    if (ofChat.take() && this.#allowance.take()) return null;
    this.floods += 1;
    return buildFloodError(1);
  }
}

function buildTelegramResult(value: unknown): Reply {
  return { status: 200, body: { ok: true, result: value } };
}

function buildFloodError(seconds: number): Reply {
  return buildTelegramError(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds });
}

function buildTelegramError(status: number, description: string, parameters?: object): Reply {
  return { status, body: { ok: false, error_code: status, description, ...(parameters && { parameters }) } };
}

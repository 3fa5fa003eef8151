import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';

const MAX_RESPONSE_BYTES = 4 * 1024 * 1024;

export interface TelegramClientOptions {
  client: Pick<OutboundClient, 'request'>;
  apiUrl: string;
  token: string;
}

/**
 * Result of a call. `unsure` means that no readable answer arrived; `isSent` is false if the request never left.
 * Never contains the token.
 */
export type TelegramReply<T> =
  | { ok: true; result: T }
  | {
      ok: false;
      status: number;
      description: string;
      retryAfterSeconds: number | null;
      migratedTo: string | null;
    }
  | { ok: 'unsure'; description: string; isSent: boolean };

interface Envelope {
  ok?: boolean;
  result?: unknown;
  error_code?: number;
  description?: string;
  parameters?: { retry_after?: number; migrate_to_chat_id?: number | string };
}

/** Client for Telegram's Bot API. */
export class TelegramClient {
  readonly #options: TelegramClientOptions;

  constructor(options: TelegramClientOptions) {
    this.#options = options;
  }

  async call<T>(
    method: string,
    body: object,
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<TelegramReply<T>> {
    const { client, apiUrl, token } = this.#options;
    try {
      const response = await client.request({
        url: `${apiUrl.replace(/\/$/, '')}/bot${token}/${method}`,
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        redirect: 'manual',
        signal,
      });
      return parseTelegramReply<T>(response.status, response.body.toString('utf8'));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const neverSent = ['connection_refused', 'dns_not_found', 'dns_timeout', 'tls'].includes(error.kind);
      return { ok: 'unsure', description: error.message, isSent: !neverSent };
    }
  }
}

function parseTelegramReply<T>(status: number, text: string): TelegramReply<T> {
  const envelope = parseEnvelope(text);
  if (envelope?.ok === true) return { ok: true, result: envelope.result as T };
  if (envelope === null && status < 400)
    return { ok: 'unsure', description: 'Telegram’s answer could not be read.', isSent: true };
  const { retry_after: retryAfter, migrate_to_chat_id: migratedTo } = envelope?.parameters ?? {};
  return {
    ok: false,
    status: envelope?.error_code ?? status,
    description: envelope?.description ?? `Telegram answered ${status}.`,
    retryAfterSeconds: typeof retryAfter === 'number' ? retryAfter : null,
    migratedTo: migratedTo === undefined ? null : String(migratedTo),
  };
}

function parseEnvelope(text: string): Envelope | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

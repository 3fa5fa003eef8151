import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const WHATSAPP = {
  PARLEY_WHATSAPP_TOKEN: 'EAAtoken',
  PARLEY_WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  PARLEY_WHATSAPP_NUMBER: '+15550783881',
  PARLEY_WHATSAPP_APP_SECRET: 'app-secret',
  PARLEY_WHATSAPP_VERIFY_TOKEN: 'verify-token-of-tests',
};

export interface SentMessage {
  id: string;
  to: string;
  type: 'text' | 'template';
  /** Body of a text message, or parameter of a template message. */
  text: string;
  /** Language of a template message; null for a text message. */
  language: string | null;
  callback: string;
}

/**
 * An HTTP fake of Meta's Cloud API for WhatsApp: it knows the period in which free text is allowed and error
 * codes, and signs its webhook requests.
 */
export class FakeWhatsapp {
  readonly sent: SentMessage[] = [];
  /** Error codes for the next messages to a phone number, in order. */
  readonly refusals = new Map<string, number[]>();
  /** Phone numbers to which free text is refused, because their last message is too long ago. */
  readonly closed = new Set<string>();
  /** Phone numbers whose messages get no response; with `not taken`, the fake also discards them. */
  readonly silent = new Map<string, 'taken' | 'not taken'>();
  /** Raw responses to messages, by phone number; the messages count as sent. */
  readonly scripts = new Map<string, { status: number; json: string }>();
  attempts = 0;
  #next = 1;
  readonly #server = createServer((request, response) => void this.#serve(request, response));

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/v23.0`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  getSentTo(number: string): SentMessage[] {
    return this.sent.filter(({ to }) => to === number.replace('+', ''));
  }

  /** Builds the webhook body of an inbound WhatsApp message. */
  buildInboundHook(from: string, body: string, id = `wamid.in${this.#next++}`, at = Date.now()): string {
    const number = from.replace('+', '');
    const timestamp = String(Math.floor(at / 1000));
    return buildHook({
      contacts: [{ wa_id: number, profile: { name: 'Ada Lovelace' } }],
      messages: [{ from: number, id, timestamp, type: 'text', text: { body } }],
    });
  }

  /** Builds the webhook body of a change of a message's status. */
  buildStatusHook(
    { id, to, callback }: Pick<SentMessage, 'id' | 'to' | 'callback'>,
    status: string,
    code?: number,
  ): string {
    const errors = code === undefined ? [] : [{ code, title: 'failed', error_data: { details: 'details' } }];
    const told = {
      id,
      status,
      recipient_id: to,
      timestamp: '1790000000',
      biz_opaque_callback_data: callback,
    };
    return buildHook({ statuses: [{ ...told, ...(errors.length > 0 && { errors }) }] });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    this.attempts += 1;
    const payload = JSON.parse(body) as Payload;
    const silence = this.silent.get(payload.to);
    if (silence === 'not taken') return;
    const reply = this.#take(request, payload);
    if (silence === 'taken') return;
    const script = this.scripts.get(payload.to);
    if (script !== undefined) {
      response.writeHead(script.status, { 'content-type': 'application/json' }).end(script.json);
      return;
    }
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body));
  }

  #take({ headers, url }: IncomingMessage, payload: Payload): { status: number; body: object } {
    if (headers.authorization !== `Bearer ${WHATSAPP.PARLEY_WHATSAPP_TOKEN}`)
      return buildWhatsappError(401, 190);
    if (!url?.endsWith(`/${WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID}/messages`))
      return buildWhatsappError(404, 33);
    const code = this.refusals.get(payload.to)?.shift();
    if (code !== undefined) return buildWhatsappError(400, code);
    if (payload.type === 'text' && this.closed.has(payload.to)) return buildWhatsappError(400, 131047);
    const parameter = payload.template?.components[0]?.parameters[0]?.text ?? '';
    if (/[\n\t]| {4}/.test(parameter)) return buildWhatsappError(400, 132000);
    const id = `wamid.out${this.#next++}`;
    const text = payload.type === 'text' ? payload.text!.body : parameter;
    this.sent.push({
      id,
      to: payload.to,
      type: payload.type,
      text,
      language: payload.template?.language.code ?? null,
      callback: payload.biz_opaque_callback_data,
    });
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [{ input: payload.to, wa_id: payload.to }],
        messages: [{ id }],
      },
    };
  }
}

interface Payload {
  to: string;
  type: 'text' | 'template';
  text?: { body: string };
  template?: { language: { code: string }; components: { parameters: { text: string }[] }[] };
  biz_opaque_callback_data: string;
}

export function signWhatsappBody(body: string, secret = WHATSAPP.PARLEY_WHATSAPP_APP_SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function buildHook(value: object): string {
  const metadata = { phone_number_id: WHATSAPP.PARLEY_WHATSAPP_PHONE_NUMBER_ID };
  const changes = [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata, ...value } }];
  return JSON.stringify({ object: 'whatsapp_business_account', entry: [{ id: '1', changes }] });
}

function buildWhatsappError(status: number, code: number): { status: number; body: object } {
  return {
    status,
    body: { error: { message: `(#${code}) refused`, code, error_data: { details: 'details' } } },
  };
}

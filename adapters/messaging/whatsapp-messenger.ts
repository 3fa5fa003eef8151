import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { OutboundClient } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { textOf, textWithLinks, type MessageContent } from './message-content.ts';
import type { Messenger, OutgoingMessage, SendOutcome } from './messenger.ts';
import { whatsappOutcome } from './whatsapp-errors.ts';

const MOST_BYTES = 1024 * 1024;
const LONGEST_TEXT = 4096;
const LONGEST_PARAMETER = 700;

export interface WhatsappMessengerOptions {
  client: Pick<OutboundClient, 'request'>;
  apiUrl: string;
  token: string;
  phoneNumberId: string;
  template: string;
  codeTemplate: string;
  /** That both templates were approved in, as Meta writes them; one at least. */
  languages: readonly string[];
  perSecond: number;
  timeoutMs: number;
}

interface Answer {
  messages?: { id?: string }[];
  error?: { code?: number; message?: string; error_data?: { details?: string } };
}

/** Meta's Cloud API. */
export class WhatsappMessenger implements Messenger {
  readonly account: string;
  readonly perSecond: number;
  readonly chatPauseMs = null;
  readonly tellsLater = true;
  readonly #options: WhatsappMessengerOptions;

  constructor(options: WhatsappMessengerOptions) {
    this.#options = options;
    this.perSecond = options.perSecond;
    this.account = digestSecret(options.phoneNumberId);
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const { client, apiUrl, token, phoneNumberId, timeoutMs } = this.#options;
    try {
      const { status, body } = await client.request({
        url: `${apiUrl.replace(/\/$/, '')}/${phoneNumberId}/messages`,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(this.#bodyOf(message)),
        timeoutMs,
        maxBytes: MOST_BYTES,
        redirect: 'manual',
        signal,
      });
      return outcomeOf(status, body.toString('utf8'));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const neverSent = ['connection_refused', 'dns_not_found', 'dns_timeout', 'tls'].includes(error.kind);
      return { kind: 'later', reason: error.message, waitMs: null, isUnsure: !neverSent };
    }
  }

  #bodyOf({ id, destination, content, isWindowOpen }: OutgoingMessage): object {
    const common = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: destination.replace(/^\+/, ''),
      biz_opaque_callback_data: id,
    };
    // Codes go by their own template even where free text would do: it can be copied by one tap.
    if (content.code !== undefined)
      return { ...common, type: 'template', template: this.#codeOf(content, content.code) };
    if (isWindowOpen) {
      const body = cutText(textWithLinks(content), LONGEST_TEXT);
      return { ...common, type: 'text', text: { preview_url: false, body } };
    }
    return { ...common, type: 'template', template: this.#alertOf(content) };
  }

  #alertOf(content: MessageContent): object {
    const { template } = this.#options;
    return {
      name: template,
      language: { code: this.#languageOf(content) },
      components: [{ type: 'body', parameters: [{ type: 'text', text: templateParameter(content) }] }],
    };
  }

  /** Of a template there may be none in the reader's. */
  #languageOf({ language = 'en' }: MessageContent): string {
    const { languages } = this.#options;
    return languages.find((each) => each.split('_')[0] === language) ?? languages[0]!;
  }

  #codeOf(content: MessageContent, code: string): object {
    const { codeTemplate } = this.#options;
    const parameters = [{ type: 'text', text: code }];
    return {
      name: codeTemplate,
      language: { code: this.#languageOf(content) },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    };
  }
}

/** All on one line, as parameters of templates must be: no tab, and no more than three spaces in a row. The template has the way to the console. */
export function templateParameter({ lines }: MessageContent): string {
  const line = textOf({ lines: lines.map((runs) => runs.filter(({ link }) => link === undefined)) })
    .trim()
    .replaceAll(/\s*\n\s*/g, ' · ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= LONGEST_PARAMETER ? line : `${cutText(line, LONGEST_PARAMETER - 1)}…`;
}

function outcomeOf(status: number, text: string): SendOutcome {
  const answer = answerOf(text);
  const id = answer?.messages?.[0]?.id;
  if (status < 300 && typeof id === 'string') return { kind: 'accepted', providerId: id };
  const { code, message, error_data: data } = answer?.error ?? {};
  if (code !== undefined) return whatsappOutcome(code, data?.details ?? message ?? '');
  if (status === 401) return { kind: 'misconfigured', reason: 'WhatsApp refuses the access token.' };
  const reason = `WhatsApp answered ${status}.`;
  return { kind: 'later', reason, waitMs: null, isUnsure: status < 400 || status === 504 };
}

function answerOf(text: string): Answer | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : null;
  } catch {
    return null;
  }
}

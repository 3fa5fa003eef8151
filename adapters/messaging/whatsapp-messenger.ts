import { digestSecret } from '../../core/accounts/secret-digest.ts';
import { cutText } from '../../core/text/cut-text.ts';
import { parseLightJson } from '../../core/text/json-weight.ts';
import { asObject, readId, readInteger, readTextValue } from '../http/response-values.ts';
import type { OutboundClient, OutboundResponse } from '../http/outbound-client.ts';
import { OutboundError } from '../http/outbound-error.ts';
import { toMessageText, toTextWithLinks, type MessageContent } from './message-content.ts';
import type { Messenger, OutgoingMessage, SendOutcome } from './messenger.ts';
import { isTruncatedSuccess } from './truncated-success.ts';
import { classifyWhatsappError } from './whatsapp-errors.ts';

const MAX_RESPONSE_BYTES = 1024 * 1024;
/** JSON limits of a response from WhatsApp, which usually has a few dozen values. */
const MAX_WEIGHT = { values: 20_000, keys: 2000, levels: 64 };
const MAX_TEXT_LENGTH = 4096;
const MAX_PARAMETER_LENGTH = 700;

export interface WhatsappMessengerOptions {
  client: Pick<OutboundClient, 'request'>;
  apiUrl: string;
  token: string;
  phoneNumberId: string;
  template: string;
  codeTemplate: string;
  /**
   * Languages in which Meta has approved both message templates, in Meta's spelling, such as `pt_PT`; at
   * least one.
   */
  languages: readonly string[];
  perSecond: number;
  timeoutMs: number;
}

/** Sends messages through Meta's WhatsApp Cloud API. */
export class WhatsappMessenger implements Messenger {
  readonly account: string;
  readonly perSecond: number;
  readonly chatPauseMs = null;
  readonly reportsStatus = true;
  readonly #options: WhatsappMessengerOptions;

  constructor(options: WhatsappMessengerOptions) {
    this.#options = options;
    this.perSecond = options.perSecond;
    this.account = digestSecret(options.phoneNumberId);
  }

  async send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome> {
    const { client, apiUrl, token, phoneNumberId, timeoutMs } = this.#options;
    try {
      const response = await client.request({
        url: `${apiUrl.replace(/\/$/, '')}/${phoneNumberId}/messages`,
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(this.#buildBody(message)),
        timeoutMs,
        maxBytes: MAX_RESPONSE_BYTES,
        onOverflow: 'truncate',
        redirect: 'manual',
        signal,
      });
      return classifyResponse(response);
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const neverSent = ['connection_refused', 'dns_not_found', 'dns_timeout', 'tls'].includes(error.kind);
      return { kind: 'later', reason: error.message, waitMs: null, mayBeDelivered: !neverSent };
    }
  }

  #buildBody({ id, destination, content, isWindowOpen }: OutgoingMessage): object {
    const common = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: destination.replace(/^\+/, ''),
      biz_opaque_callback_data: id,
    };
    // Send codes always by their template, even if free text is permitted: the template lets the recipient
    // copy the code with one tap.
    if (content.code !== undefined)
      return { ...common, type: 'template', template: this.#buildCodeTemplate(content, content.code) };
    if (isWindowOpen) {
      const body = cutText(toTextWithLinks(content), MAX_TEXT_LENGTH);
      return { ...common, type: 'text', text: { preview_url: false, body } };
    }
    return { ...common, type: 'template', template: this.#buildAlertTemplate(content) };
  }

  #buildAlertTemplate(content: MessageContent): object {
    const { template } = this.#options;
    return {
      name: template,
      language: { code: this.#pickLanguage(content) },
      components: [{ type: 'body', parameters: [{ type: 'text', text: toTemplateParameter(content) }] }],
    };
  }

  /**
   * Returns the language of the WhatsApp template that matches the message's language; by default the first
   * approved language.
   */
  #pickLanguage({ language = 'en' }: MessageContent): string {
    const { languages } = this.#options;
    return languages.find((each) => each.split('_')[0] === language) ?? languages[0]!;
  }

  #buildCodeTemplate(content: MessageContent, code: string): object {
    const { codeTemplate } = this.#options;
    const parameters = [{ type: 'text', text: code }];
    return {
      name: codeTemplate,
      language: { code: this.#pickLanguage(content) },
      components: [
        { type: 'body', parameters },
        { type: 'button', sub_type: 'url', index: '0', parameters },
      ],
    };
  }
}

/**
 * Converts a message to the one-line parameter of a WhatsApp template, since Meta forbids line breaks, tabs
 * and runs of spaces in template parameters. Omits links: the template has its own link to the console.
 */
export function toTemplateParameter({ lines }: MessageContent): string {
  const line = toMessageText({ lines: lines.map((runs) => runs.filter(({ link }) => link === undefined)) })
    .split('\n')
    .map((each) => each.trim().replaceAll(/\s+/g, ' '))
    .filter((each) => each !== '')
    .join(' · ');
  return line.length <= MAX_PARAMETER_LENGTH ? line : `${cutText(line, MAX_PARAMETER_LENGTH - 1)}…`;
}

/**
 * Parses a response from WhatsApp. Any field may be missing, or have another type or size than Meta
 * documents.
 */
function classifyResponse(response: OutboundResponse): SendOutcome {
  const { status } = response;
  const json = response.body.toString('utf8');
  // Count the message as accepted, since a retry would send it twice.
  if (isTruncatedSuccess(response, json, MAX_WEIGHT)) return { kind: 'accepted', providerId: null };
  const { messages, error } = asObject(parseLightJson(json, MAX_WEIGHT));
  const [message] = Array.isArray(messages) ? (messages as unknown[]) : [];
  if (status < 300 && typeof message === 'object' && message !== null)
    return { kind: 'accepted', providerId: readId(asObject(message)['id']) };
  const { code, message: errorMessage, error_data: data } = asObject(error);
  const knownCode = readInteger(code);
  if (knownCode !== null)
    return classifyWhatsappError(
      knownCode,
      readTextValue(asObject(data)['details']) || readTextValue(errorMessage),
    );
  if (status === 401) return { kind: 'misconfigured', reason: 'WhatsApp rejects the access token.' };
  const reason = `WhatsApp responded with status ${status}.`;
  return { kind: 'later', reason, waitMs: null, mayBeDelivered: status < 400 || status === 504 };
}

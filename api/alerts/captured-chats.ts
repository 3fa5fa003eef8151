import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { escapeHtml } from '../../core/text/escape-html.ts';
import type { Database } from '../../database/database.ts';
import { alertChannels, type AlertChannel } from '../../entities/alerts/alert-destination.entity.ts';
import { nameChannel } from '../../services/alerts/channels/alert-connection-service.ts';
import type { CapturedMessages, CapturedMessage } from '../../services/alerts/messages/captured-messages.ts';
import { canShowCaptured, CAPTURED_CHATS_PATH } from '../../services/alerts/channels/channels.ts';
import { renderPage } from '../../web/page.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';
import { renderTokenRequired, MailPagesGuard, type MailPagesSettings } from '../mail/mail-pages-access.ts';

const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const MAX_BYTES = 10_000;
const CODE = /^[A-Za-z0-9_-]{43}$/;
const examples: Readonly<Record<AlertChannel, string>> = { telegram: '1000001', whatsapp: '+351912345678' };

export interface CapturedChatsDeps {
  settings: MailPagesSettings;
  database: Database;
  capturedMessages: CapturedMessages;
}

/**
 * Serves /dev/mail/chats: alert messages that were captured because no messaging app is configured. Simulates
 * the app's chat, in which a person opens the links that connect the chat. Requires the same access as
 * captured emails. Returns whether the request was for these pages.
 */
export function createCapturedChats({ settings, database, capturedMessages }: CapturedChatsDeps) {
  const isServed = canShowCaptured(settings);
  const guard = new MailPagesGuard(settings);
  return async (koa: Koa.Context): Promise<boolean> => {
    const channel = parseChannel(koa.path);
    if (!isServed || channel === undefined) return false;
    const isPost = koa.method === 'POST';
    if (!isPost && koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    koa.set('Content-Security-Policy', policy);
    koa.set('Cache-Control', 'no-store');
    koa.type = 'text/html; charset=utf-8';
    if (!guard.hasAccess(koa)) {
      koa.status = 401;
      koa.body = renderTokenRequired();
      return true;
    }
    const isSameOrigin = koa.get('sec-fetch-site') === '' || koa.get('sec-fetch-site') === 'same-origin';
    if (isPost && channel !== null && isSameOrigin)
      koa.body = await openLink(channel, await readForm(koa.req));
    else
      koa.body = channel === null ? await listPage(null) : await chatPage(channel, parseQuery(koa)['code']);
    koa.status = 200;
    return true;
  };

  async function openLink(channel: AlertChannel, form: URLSearchParams): Promise<string> {
    const code = form.get('code') ?? '';
    const destination = form.get('destination') ?? '';
    const connected = CODE.test(code)
      ? await capturedMessages.openConnectionLink(database, channel, code, destination)
      : null;
    return listPage(
      connected ??
        'This link was used or has expired, or the chat does not exist. Create another link in the console.',
    );
  }

  async function chatPage(channel: AlertChannel, code: unknown): Promise<string> {
    if (typeof code !== 'string' || !CODE.test(code)) return listPage(null);
    const label = channel === 'telegram' ? 'Id of the chat' : 'Number';
    return renderPage(
      nameChannel(channel),
      `<h1>${nameChannel(channel)}</h1>
<p>No ${nameChannel(channel)} account is configured, so this page simulates the chat.</p>
<form method="post" action="${CAPTURED_CHATS_PATH}/${channel}">
<input type="hidden" name="code" value="${escapeHtml(code)}">
<p><label>${label} <input name="destination" value="${examples[channel]}" required></label></p>
<p><button>${channel === 'telegram' ? 'Start' : 'Send the code'}</button></p>
</form>`,
    );
  }

  async function listPage(note: string | null): Promise<string> {
    const rows = (await capturedMessages.list(database)).map(renderRow);
    return renderPage(
      'Messages',
      `<p><a href="/dev/mail">All email</a></p>
<h1>Messages</h1>
${note === null ? '' : `<p role="status"><strong>${escapeHtml(note)}</strong></p>`}
<p>Messages to messaging apps are captured here, because no account is configured (<code>PARLEY_TELEGRAM_BOT_TOKEN</code>, <code>PARLEY_WHATSAPP_TOKEN</code>).</p>
<ul>${rows.join('\n') || '<li>None yet.</li>'}</ul>`,
    );
  }
}

function renderRow({ channel, destination, text, at }: CapturedMessage): string {
  return `<li>${nameChannel(channel)} ${escapeHtml(destination)}, <time datetime="${at.toISOString()}">${at.toISOString()}</time>
<pre>${escapeHtml(text)}</pre></li>`;
}

/**
 * Returns the messaging app in the path of a captured chat; null for the list of all chats, undefined for
 * other paths.
 */
function parseChannel(path: string): AlertChannel | null | undefined {
  if (path === CAPTURED_CHATS_PATH) return null;
  return alertChannels.find((channel) => path === `${CAPTURED_CHATS_PATH}/${channel}`);
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request as AsyncIterable<Buffer>) {
    text += chunk.toString('utf8');
    if (text.length > MAX_BYTES) break;
  }
  return new URLSearchParams(text.slice(0, MAX_BYTES));
}

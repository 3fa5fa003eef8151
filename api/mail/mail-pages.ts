import type Koa from 'koa';
import ipaddr from 'ipaddr.js';
import { isUuid } from '../../core/ids.ts';
import type { Settings } from '../../core/settings.ts';
import type { Database } from '../../entities/database.ts';
import type { OutgoingMail } from '../../adapters/mail/mail-transport.ts';
import type { KeptMails } from '../../services/mail/kept-mails.service.ts';
import { mailKinds, type MailTemplate } from '../../services/mail/mail-templates.ts';
import { escapeHtml } from '../../core/escape-html.ts';
import { peerAddress } from '../http/client-address.ts';
import { page } from './page.ts';

/** Their path. */
export const MAIL_PAGES = '/dev/mail';
/** Mails have their styles in themselves; they run nothing and load nothing. The page's icon is an empty one. */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const LOOPBACK_HOST = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/i;
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'via',
];
const templates = Object.keys(mailKinds) as MailTemplate[];

type MailPagesSettings = Pick<Settings, 'smtpUrl' | 'baseUrl' | 'trustedProxies'>;

export interface MailPagesDeps {
  settings: MailPagesSettings;
  database: Database;
  keptMails: KeptMails;
}

/**
 * Serves at /dev/mail the mails that no server was there to take, and previews of all templates: to callers on this
 * machine, and only while no mail server is set and no proxy is known of. Answers whether the request was for it.
 */
export function createMailPages({ settings, database, keptMails }: MailPagesDeps) {
  const isServed = hasMailPages(settings);
  return async (koa: Koa.Context): Promise<boolean> => {
    if (koa.path !== MAIL_PAGES && !koa.path.startsWith(`${MAIL_PAGES}/`)) return false;
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    if (!isServed || !isFromHere(koa)) return false;
    const html = await render(koa.path.slice(MAIL_PAGES.length + 1));
    if (html === null) return false;
    koa.set('Content-Security-Policy', policy);
    koa.type = 'text/html; charset=utf-8';
    koa.body = html;
    return true;
  };

  async function render(name: string): Promise<string | null> {
    if (name === '') return listPage(await keptMails.list(database));
    if (name === 'templates') return templatesPage();
    const template = templates.find((each) => name === `templates/${each}`);
    if (template) return mailPage(keptMails.preview(template));
    const mail = isUuid(name) ? await keptMails.find(database, name) : null;
    return mail && mailPage(mail);
  }
}

/** Where a proxy is in front, as there is for https, which Parley itself does not speak, all its callers seem to be on this machine. */
export function hasMailPages({ smtpUrl, baseUrl, trustedProxies }: MailPagesSettings): boolean {
  return smtpUrl === undefined && trustedProxies === 0 && !baseUrl.startsWith('https:');
}

/** Not through a proxy on this machine, nor by a name that somebody else's page has pointed here. */
function isFromHere({ req }: Koa.Context): boolean {
  const address = peerAddress(req.socket);
  return (
    ipaddr.isValid(address) &&
    ipaddr.parse(address).range() === 'loopback' &&
    LOOPBACK_HOST.test(req.headers.host ?? '') &&
    FORWARDED.every((header) => req.headers[header] === undefined)
  );
}

function listPage(mails: readonly (OutgoingMail & { id: string })[]): string {
  const rows = mails.map(
    ({ id, to, subject, date }) =>
      `<li><a href="${MAIL_PAGES}/${id}">${escapeHtml(subject)}</a><br>to ${escapeHtml(to)}, ${date.toISOString()}</li>`,
  );
  return page(
    'Mail',
    `<h1>Mail</h1>
<p>No mail server is set (<code>PARLEY_SMTP_URL</code>), so mails are kept here for a week. <a href="${MAIL_PAGES}/templates">All templates</a></p>
<ul>${rows.join('\n') || '<li>There is none.</li>'}</ul>`,
  );
}

function templatesPage(): string {
  const rows = templates.map(
    (name) => `<li><a href="${MAIL_PAGES}/templates/${name}">${name}</a> (${mailKinds[name]})</li>`,
  );
  return page('Templates', `<h1>Templates of mail</h1>\n<ul>${rows.join('\n')}</ul>`);
}

/** The mail's own markup is in a frame that may run nothing; its links open beside it. */
function mailPage({ to, subject, html, text, date, messageId, headers }: OutgoingMail): string {
  const fields = {
    To: to,
    Subject: subject,
    Date: date.toISOString(),
    'Message-ID': `<${messageId}>`,
    ...headers,
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  return page(
    subject,
    `<p><a href="${MAIL_PAGES}">All mail</a></p>
<h1>${escapeHtml(subject)}</h1>
<dl>${lines.join('\n')}</dl>
<iframe title="As HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>
<h2>As text</h2>
<pre>${escapeHtml(text)}</pre>`,
  );
}

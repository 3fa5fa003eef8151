import type Koa from 'koa';
import { formatAgo } from '../../browser/format-ago.ts';
import { isUuid } from '../../core/ids.ts';
import type { Database } from '../../database/database.ts';
import type { CalendarAttachment, OutgoingMail } from '../../adapters/mail/mail-transport.ts';
import type { CapturedMails } from '../../services/mail/captured-mails.ts';
import { mailKinds, type MailTemplate } from '../../services/mail/rendering/mail-templates.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import {
  renderTokenRequired,
  MAIL_PAGES,
  MailPagesGuard,
  type MailPagesSettings,
} from './mail-pages-access.ts';
import { canShowCaptured } from '../../services/alerts/channels/channels.ts';
import { renderPage } from '../../web/page.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';

/**
 * Content security policy of pages that show a captured email. Emails contain their styles, run no scripts
 * and load nothing.
 */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Content security policy of captured emails that are shown as plain text. */
const textPolicy = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** Suffix of the URL of an email's calendar attachment. */
const CALENDAR_FILE = '/meeting.ics';
const templates = Object.keys(mailKinds) as MailTemplate[];

export interface MailPagesDeps {
  settings: MailPagesSettings;
  database: Database;
  capturedMails: CapturedMails;
}

/**
 * Creates the handler of /dev/mail, which shows captured emails and previews of all email templates. The page
 * requires the access token, and is disabled if a mail server or proxy is configured. The handler returns
 * whether it served the request.
 */
export function createMailPages({ settings, database, capturedMails }: MailPagesDeps) {
  const isServed = canShowCaptured(settings);
  const guard = new MailPagesGuard(settings);
  return async (koa: Koa.Context): Promise<boolean> => {
    if (koa.path !== MAIL_PAGES && !koa.path.startsWith(`${MAIL_PAGES}/`)) return false;
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    if (!isServed) return false;
    const isOpen = guard.hasAccess(koa);
    if (isOpen && parseQuery(koa)['token'] !== undefined) {
      koa.status = 303;
      koa.redirect(koa.path);
      return true;
    }
    const name = koa.path.slice(MAIL_PAGES.length + 1);
    if (isOpen && name.endsWith(CALENDAR_FILE))
      return sendCalendar(koa, name.slice(0, -CALENDAR_FILE.length));
    const html = isOpen ? await render(name) : renderTokenRequired();
    if (html === null) return false;
    koa.status = isOpen ? 200 : 401;
    koa.set('Content-Security-Policy', policy);
    koa.type = 'text/html; charset=utf-8';
    koa.body = html;
    return true;
  };

  async function render(name: string): Promise<string | null> {
    if (name === '') return listPage(await capturedMails.list(database));
    if (name === 'templates') return templatesPage();
    const template = templates.find((each) => name === `templates/${each}`);
    if (template) return mailPage(capturedMails.preview(template));
    const mail = await findMail(name);
    return mail && mailPage(mail, `${MAIL_PAGES}/${name}${CALENDAR_FILE}`);
  }

  async function findMail(id: string) {
    return isUuid(id) ? capturedMails.find(database, id) : null;
  }

  /** Sends the calendar file of a captured email, with a content type that browsers treat as plain text. */
  async function sendCalendar(koa: Koa.Context, id: string): Promise<boolean> {
    const calendar = (await findMail(id))?.calendar;
    if (!calendar) return false;
    koa.status = 200;
    koa.set('Content-Security-Policy', textPolicy);
    koa.attachment(CALENDAR_FILE.slice(1));
    koa.type = 'text/plain; charset=utf-8';
    koa.body = calendar.content;
    return true;
  }
}

function listPage(mails: readonly (OutgoingMail & { id: string })[]): string {
  const rows = mails.map(
    ({ id, to, subject, date }) =>
      `<li><a href="${MAIL_PAGES}/${id}">${escapeHtml(subject)}</a><br>to ${escapeHtml(to)}, ${formatTime(date)}</li>`,
  );
  return renderPage(
    'Email',
    `<h1>Email</h1>
<p>No mail server is configured (<code>PARLEY_SMTP_URL</code>), so emails are stored here for a week. <a href="${MAIL_PAGES}/templates">All templates</a></p>
<ul>${rows.join('\n') || '<li>None yet.</li>'}</ul>`,
  );
}

function templatesPage(): string {
  const rows = templates.map(
    (name) => `<li><a href="${MAIL_PAGES}/templates/${name}">${name}</a> (${mailKinds[name]})</li>`,
  );
  return renderPage('Templates', `<h1>Email templates</h1>\n<ul>${rows.join('\n')}</ul>`);
}

/**
 * Renders a page with a captured email. The HTML of the email is in a frame without scripts, and its links
 * open in a new tab.
 * @param calendarLink URL of the calendar file, if the email has one
 */
function mailPage(
  { to, subject, html, text, date, messageId, headers, calendar }: OutgoingMail,
  calendarLink = '',
): string {
  const fields = {
    To: to,
    Subject: subject,
    'Message-ID': `<${messageId}>`,
    ...headers,
  };
  const lines = Object.entries(fields).map(
    ([name, value]) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`,
  );
  lines.splice(2, 0, `<dt>Date</dt><dd>${formatTime(date)}</dd>`);
  return renderPage(
    subject,
    `<p><a href="${MAIL_PAGES}">All email</a></p>
<h1>${escapeHtml(subject)}</h1>
<dl>${lines.join('\n')}</dl>
<iframe title="As HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(`<base target="_blank">${html}`)}"></iframe>
<h2>As text</h2>
<pre>${escapeHtml(text)}</pre>${calendar ? calendarPart(calendar, calendarLink) : ''}`,
  );
}

function calendarPart({ method, content }: CalendarAttachment, link: string): string {
  return `
<h2>For calendars</h2>
<p>${method}, <a href="${link}" download>${CALENDAR_FILE.slice(1)}</a></p>
<pre>${escapeHtml(content)}</pre>`;
}

/**
 * Formats times in the server's time zone, and includes the zone's name. The page runs no scripts, so the
 * browser's zone is unknown.
 */
const fullTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

function formatTime(date: Date): string {
  const ago = formatAgo((Date.now() - date.getTime()) / 1000);
  return `<time datetime="${date.toISOString()}">${fullTime.format(date)}</time>, ${ago}`;
}

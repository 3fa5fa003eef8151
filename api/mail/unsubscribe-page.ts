import type Koa from 'koa';
import { AppError } from '../../core/errors/errors.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { chooseLanguage, type Language } from '../../core/languages.ts';
import type { Database } from '../../database/database.ts';
import type { EmailPreferencesService } from '../../services/mail/email-preferences-service.ts';
import type { MailCategory } from '../../services/mail/rendering/mail-templates.ts';
import { unsubscribe } from './email-preferences.routes.ts';
import { renderPage } from '../../web/page.ts';
import { unsubscribeWords } from './unsubscribe-words.ts';

const FOLDER = '/unsubscribe/';
/**
 * Path of the one-click unsubscribe operation, which mail programs call by POST. Some mail programs show this
 * URL to users as a link.
 */
const ONE_CLICK = unsubscribe.path.replace(/\{.*$/, '');
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

export interface UnsubscribePageDeps {
  preferences: EmailPreferencesService;
  database: Database;
}

/**
 * Creates the handler of the unsubscribe link in emails. Opening the link only shows a page with a button,
 * since email filters open all links. The handler returns whether it served the request.
 * @throws AppError `not_found` for a forged token
 */
export function createUnsubscribePage({ preferences, database }: UnsubscribePageDeps) {
  return async (koa: Koa.Context): Promise<boolean> => {
    const isConfirmed = koa.method === 'POST' && koa.path.startsWith(FOLDER);
    if (!isConfirmed && koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    const token = readToken(koa.path);
    const category = token === null ? null : readCategory(preferences, koa.path, token);
    if (token === null || category === null) return false;
    if (isConfirmed) await preferences.unsubscribe(database, token);
    const language = chooseLanguage(koa.get('accept-language').split(','));
    koa.set('Content-Security-Policy', policy);
    koa.set('Cache-Control', 'no-store');
    koa.vary('Accept-Language');
    koa.type = 'text/html; charset=utf-8';
    koa.body = isConfirmed ? donePage(language, category) : askingPage(language, category, token);
    return true;
  };
}

function readToken(path: string): string | null {
  const folder = [FOLDER, ONE_CLICK].find((each) => path.startsWith(each));
  return folder === undefined ? null : path.slice(folder.length);
}

/**
 * Returns the email category that the token in a URL unsubscribes from. Returns null for an invalid token in
 * a one-click URL, so that the API operation reports the error.
 */
function readCategory(
  preferences: EmailPreferencesService,
  path: string,
  token: string,
): MailCategory | null {
  try {
    return preferences.readCategory(token);
  } catch (error) {
    if (path.startsWith(ONE_CLICK) && error instanceof AppError) return null;
    throw error;
  }
}

function askingPage(language: Language, category: MailCategory, token: string): string {
  const { title, when, button, categories } = unsubscribeWords[language];
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(`${when} ${categories[category]}`)}</p>
<form method="post" action="${FOLDER}${token}"><button>${escapeHtml(button)}</button></form>`,
    { language, linksToConsole: false },
  );
}

function donePage(language: Language, category: MailCategory): string {
  const { done, later, categories } = unsubscribeWords[language];
  return renderPage(
    done,
    `<h1>${escapeHtml(done)}</h1>
<p>${escapeHtml(categories[category])}</p>
<p><a href="/console#/account">${escapeHtml(later)}</a></p>`,
    { language, linksToConsole: false },
  );
}

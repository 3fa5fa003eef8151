import type Koa from 'koa';
import type { EmailPreferencesService } from '../../services/mail/email-preferences.service.ts';
import { mailCategories } from '../../services/mail/mail-templates.ts';
import { page } from './page.ts';

const FOLDER = '/unsubscribe/';
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/**
 * Serves the page that the link in a mail leads to. It asks again, because mail filters follow links; answers whether
 * the request was for it.
 * @throws AppError `not_found` for a token that we did not make
 */
export function createUnsubscribePage(preferences: EmailPreferencesService): (koa: Koa.Context) => boolean {
  return (koa) => {
    if (koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    if (!koa.path.startsWith(FOLDER)) return false;
    const token = koa.path.slice(FOLDER.length);
    const description = mailCategories[preferences.categoryOf(token)];
    koa.set('Content-Security-Policy', policy);
    koa.type = 'text/html; charset=utf-8';
    koa.body = page(
      'Turn off mail',
      `<h1>Turn off such mail?</h1>
<p>You are sent it when this happens: ${description}</p>
<form method="post" action="/api/email-preferences/unsubscribe/${token}"><button>Turn it off</button></form>`,
    );
    return true;
  };
}

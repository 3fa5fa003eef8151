import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { Keyring } from '../../adapters/keys/keyring.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { canShowCaptured } from '../../services/alerts/channels/channels.ts';
import { renderPage } from '../../web/page.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';

/** Path of the pages. */
export const MAIL_PAGES = '/dev/mail';
const COOKIE_DAYS = 30;

export type MailPagesSettings = Pick<
  Settings,
  'smtpUrl' | 'baseUrl' | 'trustedProxies' | 'masterKey' | 'port'
>;

/** The link that opens the pages; undefined without a token. */
export function mailPagesLink(settings: MailPagesSettings): string | undefined {
  const token = canShowCaptured(settings) ? mailPagesToken(settings) : undefined;
  return token && `${settings.baseUrl}${MAIL_PAGES}?token=${token}`;
}

/** The token, derived from the master key: identical in all processes, and after a restart. */
export function mailPagesToken({ masterKey }: MailPagesSettings): string | undefined {
  return masterKey && new Keyring(masterKey).digest('mail-pages', MAIL_PAGES);
}

/**
 * Checks the caller's token, in the link or in a cookie. The link's token is exchanged for a cookie, so that it
 * does not stay in the URL. Other callers only see how to get access.
 */
export class MailPagesDoor {
  readonly #token: string | undefined;
  readonly #cookie: string;

  constructor(settings: MailPagesSettings) {
    this.#token = mailPagesToken(settings);
    // Cookies do not distinguish ports, and another Parley may run on this machine.
    this.#cookie = `parley_mail_${settings.port}`;
  }

  isOpen(koa: Koa.Context): boolean {
    const { token } = parseQuery(koa);
    if (token === undefined) return this.#isToken(koa.cookies.get(this.#cookie));
    if (!this.#isToken(token)) return false;
    koa.cookies.set(this.#cookie, String(token), {
      httpOnly: true,
      sameSite: 'lax',
      path: MAIL_PAGES,
      maxAge: COOKIE_DAYS * 86_400_000,
    });
    return true;
  }

  #isToken(given: unknown): boolean {
    if (this.#token === undefined || typeof given !== 'string') return false;
    return timingSafeEqual(digestToken(given), digestToken(this.#token));
  }
}

/** Renders the page for callers without a token. */
export function closedPage(): string {
  return renderPage(
    'Mail',
    `<h1>Mail</h1>
<p>This page shows mails with links and codes, so it asks for a token. Open the link that <code>npm start</code> prints at <i>Mails</i>;
<code>npm run parley -- mail-link</code> prints it again.</p>`,
  );
}

function digestToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { Keyring } from '../../adapters/keys/keyring.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { canShowCaptured } from '../../services/alerts/channels/channels.ts';
import { renderPage } from '../../web/page.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';

/** Path of the pages that show captured emails. */
export const MAIL_PAGES = '/dev/mail';
const COOKIE_DAYS = 30;

export type MailPagesSettings = Pick<
  Settings,
  'smtpUrl' | 'baseUrl' | 'trustedProxies' | 'masterKey' | 'port'
>;

/**
 * Returns the link to the captured emails with its access token; undefined if the pages are disabled or no
 * master key is set.
 */
export function mailPagesLink(settings: MailPagesSettings): string | undefined {
  const token = canShowCaptured(settings) ? mailPagesToken(settings) : undefined;
  return token && `${settings.baseUrl}${MAIL_PAGES}?token=${token}`;
}

/**
 * Derives the access token of the email pages from the master key. All processes therefore have the same
 * token, even after a restart. Returns undefined without a master key.
 */
export function mailPagesToken({ masterKey }: MailPagesSettings): string | undefined {
  return masterKey && new Keyring(masterKey).digest('mail-pages', MAIL_PAGES);
}

/**
 * Guards the email pages by a token in the link or in a cookie. The token of a link is exchanged for a
 * cookie, so that the token does not stay in the URL.
 */
export class MailPagesGuard {
  readonly #token: string | undefined;
  readonly #cookie: string;

  constructor(settings: MailPagesSettings) {
    this.#token = mailPagesToken(settings);
    // Browsers send a cookie to every port of a host, so the cookie's name includes the port: another Parley
    // server may run on this machine.
    this.#cookie = `parley_mail_${settings.port}`;
  }

  hasAccess(koa: Koa.Context): boolean {
    const { token } = parseQuery(koa);
    if (token === undefined) return this.#isValidToken(koa.cookies.get(this.#cookie));
    if (!this.#isValidToken(token)) return false;
    koa.cookies.set(this.#cookie, String(token), {
      httpOnly: true,
      sameSite: 'lax',
      path: MAIL_PAGES,
      maxAge: COOKIE_DAYS * 86_400_000,
    });
    return true;
  }

  #isValidToken(token: unknown): boolean {
    if (this.#token === undefined || typeof token !== 'string') return false;
    return timingSafeEqual(digestToken(token), digestToken(this.#token));
  }
}

/**
 * Renders the page for callers without a valid access token, which explains how to get the link to captured
 * emails.
 */
export function renderTokenRequired(): string {
  return renderPage(
    'Email',
    `<h1>Email</h1>
<p>This page shows emails with links and codes, so it requires a token. Open the link that <code>npm start</code> prints at <i>Emails</i>;
<code>npm run parley -- mail-link</code> prints it again.</p>`,
  );
}

function digestToken(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

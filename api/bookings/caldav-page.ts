import type Koa from 'koa';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { digestSecret } from '../../core/accounts/secret-digest.ts';
import type { CalDavLogin } from '../../services/bookings/calendars/calendar-connector.ts';
import type { Limit } from '../../services/requests/rate-limiter.ts';
import { readForm } from '../http/body/form.ts';
import { addressCharge, enforceLimit } from '../http/limits/rate-limit.ts';
import { clientAddress } from '../http/access/client-address.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';
import type { EngineDeps } from '../http/engine-deps.ts';
import { findBrowserId } from './calendar-browser.ts';
import { MAX_FORM_BYTES, sendCalendarPage, sendFaultPage } from './calendar-page-parts.ts';

const CALDAV_PAGE = '/calendar/caldav';
const MAX_URL = 2000;
const MAX_USER = 320;
const MAX_PASSWORD = 1000;
/**
 * Maximum sign-in attempts per hour for a link to this page, and for a CalDAV account. People mistype, and
 * try several app passwords.
 */
const MAX_SIGN_INS = 10;
const TITLE = 'Connect a calendar';

interface PageValues {
  orgName: string;
  state: string;
  serverUrl?: string;
  username?: string;
  error?: string;
}

/**
 * Serves the form for connecting a CalDAV account: server URL, user name and app password. Signs in to the
 * server, then redirects to the callback of the calendar connection. Returns whether the request was for this
 * page.
 */
export function createCalDavPage({ services, database, settings, rateLimiter }: EngineDeps) {
  const { calendarConnector: connector } = services.bookings;
  return async (koa: Koa.Context): Promise<boolean> => {
    const isSubmitted = koa.method === 'POST';
    if (koa.path !== CALDAV_PAGE || (!isSubmitted && koa.method !== 'GET' && koa.method !== 'HEAD'))
      return false;
    await enforceLimit(
      koa,
      rateLimiter,
      addressCharge(clientAddress(koa.req, settings.trustedProxies), settings),
    );
    const state = readState(koa);
    const inspection = await connector.inspect(
      database,
      'caldav',
      state,
      findBrowserId(koa.headers, settings.baseUrl),
    );
    if (typeof inspection === 'string') {
      sendFaultPage(koa, inspection);
      return true;
    }
    const values = { ...inspection, state };
    if (isSubmitted) await signIn(koa, values);
    else sendForm(koa, values);
    return true;
  };

  /**
   * Counts an attempt to sign in to a CalDAV server. Returns the seconds to wait before another attempt; 0 if
   * this attempt is permitted.
   */
  async function countAttempt(shared: Limit): Promise<number> {
    const { isAdmitted, tightest } = await rateLimiter.consume({ shared });
    return isAdmitted ? 0 : Math.max(1, tightest.resetSeconds);
  }

  /**
   * Returns a function that counts an attempt to sign in to a CalDAV server once for each host, before the
   * host receives the password. A server may lead Parley to other hosts, and without this limit, Parley would
   * help to guess passwords there.
   */
  function createHostCounter({ username }: CalDavLogin): (host: string) => Promise<number> {
    const waits = new Map<string, Promise<number>>();
    return (host) => {
      const wait = waits.get(host) ?? countAttempt(buildAccountLimit(host, username));
      waits.set(host, wait);
      return wait;
    };
  }

  async function signIn(koa: Koa.Context, formState: PageValues): Promise<void> {
    const login = readLogin(await readForm(koa.req, MAX_FORM_BYTES));
    const { serverUrl, username } = login;
    const fault = findFault(login);
    const countHost = createHostCounter(login);
    const wait =
      fault === null
        ? (await countAttempt(buildLinkLimit(formState.state))) || (await countHost(parseHost(serverUrl)))
        : 0;
    if (wait > 0) {
      koa.set('Retry-After', String(wait));
      const error = `Too many sign-in attempts; wait ${wait} s, or start again in the console.`;
      return sendForm(koa, { ...formState, serverUrl, username, error }, 429);
    }
    const error = fault ?? (await connector.trySignIn(database, formState.state, login, countHost));
    if (error !== null) return sendForm(koa, { ...formState, serverUrl, username, error });
    koa.status = 303;
    koa.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    koa.redirect(
      `/api/calendar/caldav/callback?${new URLSearchParams({ state: formState.state }).toString()}`,
    );
    koa.status = 303;
  }
}

const WINDOW = { limit: MAX_SIGN_INS, windowSeconds: 3600 };

function buildLinkLimit(state: string): Limit {
  return { key: `caldav-link:${digestSecret(state)}`, ...WINDOW };
}

/**
 * Returns the limit of sign-in attempts for a CalDAV account, across all workspaces. Without this limit,
 * Parley could be used to guess passwords of other servers.
 */
function buildAccountLimit(host: string, username: string): Limit {
  return { key: `caldav-account:${digestSecret(`${host} ${username.toLowerCase()}`)}`, ...WINDOW };
}

/** Returns the host of a server URL that a person typed, with or without a scheme such as `https:`. */
function parseHost(serverUrl: string): string {
  const url = /^[a-z]+:\/\//i.test(serverUrl) ? serverUrl : `https://${serverUrl}`;
  return URL.canParse(url) ? new URL(url).hostname : url;
}

function readState(koa: Koa.Context): string {
  const { state } = parseQuery(koa);
  return typeof state === 'string' ? state.slice(0, 512) : '';
}

function readLogin(form: URLSearchParams): CalDavLogin {
  return {
    serverUrl: (form.get('server') ?? '').trim(),
    username: (form.get('username') ?? '').trim(),
    password: form.get('password') ?? '',
  };
}

function findFault({ serverUrl, username, password }: CalDavLogin): string | null {
  if (serverUrl === '' || username === '' || password === '') return 'Fill in all three fields.';
  const isTooLong =
    serverUrl.length > MAX_URL || username.length > MAX_USER || password.length > MAX_PASSWORD;
  if (isTooLong) return 'A field is too long to be a URL, user name or password.';
  return /[\0\r\n]/.test(username + password) ? 'User name and password must not contain line breaks.' : null;
}

function sendForm(
  koa: Koa.Context,
  values: PageValues,
  status = values.error === undefined ? 200 : 422,
): void {
  sendCalendarPage(koa, TITLE, renderForm(values), status);
}

function renderForm({ orgName, state, serverUrl = '', username = '', error }: PageValues): string {
  const described = error === undefined ? '' : ' aria-invalid="true" aria-describedby="error"';
  const alert =
    error === undefined ? '' : `<p id="error" role="alert"><strong>${escapeHtml(error)}</strong></p>\n`;
  const field = (name: string, label: string, attributes: string) =>
    `<p><label for="${name}">${label}</label><br><input id="${name}" name="${name}" required${described} ${attributes}></p>`;
  return `<h1>${TITLE}</h1>
<div class="card">
<p>Meetings that are booked with <strong>${escapeHtml(orgName)}</strong> are written to this calendar, and its busy times are not offered.</p>
${alert}<form method="post" action="${CALDAV_PAGE}?${escapeHtml(new URLSearchParams({ state }).toString())}">
${field('server', 'URL of the CalDAV server', `type="text" inputmode="url" autocomplete="url" maxlength="${MAX_URL}" placeholder="https://" size="40" value="${escapeHtml(serverUrl)}"${error === undefined ? ' autofocus' : ''}`)}
${field('username', 'User name', `type="text" autocomplete="username" maxlength="${MAX_USER}" size="40" value="${escapeHtml(username)}"`)}
${field('password', 'App password', `type="password" autocomplete="off" maxlength="${MAX_PASSWORD}" size="40"${error === undefined ? '' : ' autofocus'}`)}
<p><button>Connect</button></p>
</form>
</div>
<h2>Where to find these</h2>
<ul class="card">
<li>Nextcloud: the URL of your Nextcloud; an app password under Settings, Security.</li>
<li>Fastmail: <code>https://caldav.fastmail.com</code>; an app password under Settings, Privacy &amp; Security.</li>
<li>iCloud: <code>https://caldav.icloud.com</code>; an app-specific password at account.apple.com.</li>
<li>Other providers: the CalDAV URL that the provider lists for calendar apps.</li>
</ul>`;
}

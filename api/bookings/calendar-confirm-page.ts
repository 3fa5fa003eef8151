import type Koa from 'koa';
import { escapeHtml } from '../../core/text/escape-html.ts';
import { clientAddress } from '../http/access/client-address.ts';
import { readForm } from '../http/body/form.ts';
import type { EngineDeps } from '../http/engine-deps.ts';
import { addressCharge, enforceLimit } from '../http/limits/rate-limit.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';
import { browserCookie, findBrowserId } from './calendar-browser.ts';
import { MAX_FORM_BYTES, sendCalendarPage, sendFaultPage } from './calendar-page-parts.ts';

export const CONFIRM_PAGE = '/calendar/confirm';
const TITLE = 'Connect this calendar?';

/**
 * Serves the page that asks a person to confirm the workspace, after a sign-in at Google for a calendar
 * connection that an API key started. Without this page, an attacker could send someone to Google, and get
 * access to that person's calendar. Returns whether the request was for this page.
 */
export function createCalendarConfirmPage({ services, database, settings, rateLimiter }: EngineDeps) {
  const { calendarConnector: connector } = services.bookings;
  return async (koa: Koa.Context): Promise<boolean> => {
    const isSubmitted = koa.method === 'POST';
    if (koa.path !== CONFIRM_PAGE || (!isSubmitted && koa.method !== 'GET' && koa.method !== 'HEAD'))
      return false;
    await enforceLimit(
      koa,
      rateLimiter,
      addressCharge(clientAddress(koa.req, settings.trustedProxies), settings),
    );
    const parameters = isSubmitted
      ? Object.fromEntries(await readForm(koa.req, MAX_FORM_BYTES))
      : parseQuery(koa);
    const [state, code] = [parameters['state'], parameters['code']].map((value) =>
      typeof value === 'string' ? value : '',
    );
    const browser = findBrowserId(koa.headers, settings.baseUrl);
    const inspection = await connector.inspect(database, 'google', state ?? '', browser);
    if (typeof inspection === 'string') sendFaultPage(koa, inspection);
    else if (isSubmitted) await confirm(koa, { state: state ?? '', code: code ?? '', browser });
    else sendCalendarPage(koa, TITLE, renderQuestion(inspection.orgName, state ?? '', code ?? ''));
    return true;
  };

  async function confirm(
    koa: Koa.Context,
    { state, code, browser }: { state: string; code: string; browser: string | undefined },
  ): Promise<void> {
    const bound = await connector.bind(database, state, browser);
    koa.set({ 'Set-Cookie': browserCookie(bound, settings.baseUrl), 'Cache-Control': 'no-store' });
    koa.redirect(`/api/calendar/google/callback?${new URLSearchParams({ state, code }).toString()}`);
    koa.status = 303;
  }
}

function renderQuestion(orgName: string, state: string, code: string): string {
  return `<h1>${TITLE}</h1>
<div class="card">
<p>The workspace <strong>${escapeHtml(orgName)}</strong> wants to write meetings to your Google calendar and to see when you are busy. If you did not request this, close this page.</p>
<form method="post" action="${CONFIRM_PAGE}">
<input type="hidden" name="state" value="${escapeHtml(state)}">
<input type="hidden" name="code" value="${escapeHtml(code)}">
<p><button>Connect calendar</button></p>
</form>
</div>`;
}

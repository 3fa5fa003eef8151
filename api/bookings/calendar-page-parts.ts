import type Koa from 'koa';
import { escapeHtml } from '../../core/text/escape-html.ts';
import type { AttemptFault } from '../../services/bookings/calendars/calendar-attempts.ts';
import { formPolicy, renderPage } from '../../web/page.ts';

/** Maximum size in bytes of a form on the calendar pages: enough for fields of their maximum lengths. */
export const MAX_FORM_BYTES = 16 * 1024;

/**
 * Sends a calendar page whose URL contains the secret `state` of a connection attempt. The headers keep the
 * URL secret.
 */
export function sendCalendarPage(koa: Koa.Context, title: string, body: string, status = 200): void {
  koa.status = status;
  koa.set({
    'Content-Security-Policy': formPolicy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
  koa.type = 'text/html; charset=utf-8';
  koa.body = renderPage(title, body);
}

const faults: Record<AttemptFault, string> = {
  refused: 'This link was already used, or is not valid.',
  expired: 'This link expired after ten minutes.',
  browser: 'This link works only in the browser that started the connection.',
};

export function sendFaultPage(koa: Koa.Context, fault: AttemptFault): void {
  const title = 'The calendar is not connected';
  const again = 'Start again under Bookings, Calendar.';
  sendCalendarPage(
    koa,
    title,
    `<h1>${title}</h1>
<p>${escapeHtml(`${faults[fault]} ${again}`)}</p>
<p><a href="/console#/bookings/calendar">Go to the calendar</a></p>`,
    403,
  );
}

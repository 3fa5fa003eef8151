/**
 * Options of every `fetch` request from the widget: no cookies, and a referrer with only the page's origin.
 */
export const ANONYMOUS = { credentials: 'omit', referrerPolicy: 'origin' } as const satisfies RequestInit;

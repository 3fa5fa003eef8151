/** Options of every request: no cookies, and only the origin of the page as referrer. */
export const ANONYMOUS = { credentials: 'omit', referrerPolicy: 'origin' } as const satisfies RequestInit;

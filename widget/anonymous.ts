/** Of each request: it carries no cookies, and tells of the page only the site. */
export const ANONYMOUS = { credentials: 'omit', referrerPolicy: 'origin' } as const satisfies RequestInit;

/** Access of operations that the widget calls with the token of a visitor's session. */
export const visitorAccess = { tag: 'widget', auth: 'visitor', scope: null, role: null, cors: true } as const;

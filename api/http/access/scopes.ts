/** All scopes that an API key can have. `<resource>:write` includes `<resource>:read`. */
export const scopes = [
  'bots:read',
  'bots:write',
  'knowledge:read',
  'knowledge:write',
  'conversations:read',
  'conversations:write',
  'contacts:read',
  'contacts:write',
  'inbox:read',
  'inbox:write',
  'bookings:read',
  'bookings:write',
  'alerts:read',
  'alerts:write',
  'webhooks:read',
  'webhooks:write',
  'org:read',
  'org:write',
  'members:read',
  'members:write',
  'billing:read',
  'encryption:read',
  'flows:read',
  'flows:write',
  'archive:read',
  'archive:write',
  'usage:read',
  'analytics:read',
  'tools:read',
] as const;

export type Scope = (typeof scopes)[number];

export function grants(granted: readonly string[], needed: Scope): boolean {
  if (granted.includes(needed)) return true;
  return needed.endsWith(':read') && granted.includes(needed.replace(/:read$/, ':write'));
}

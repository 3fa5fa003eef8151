import type { Scope } from '../client/types.ts';

/** Descriptions of the scopes of API keys. */
const texts: Record<Scope, string> = {
  'bots:read': 'see bots and how to embed them',
  'bots:write': 'create, change, delete and try bots, whose answers cite documents',
  'knowledge:read': 'see documents and try retrieval',
  'knowledge:write': 'add, change and delete documents',
  'conversations:read': 'read conversations and transcripts',
  'conversations:write': 'resolve, reopen and delete conversations',
  'contacts:read': 'see contacts',
  'contacts:write': 'change and erase contacts',
  'inbox:read': 'see who waits for a person',
  'inbox:write': 'claim, answer and hand over conversations',
  'bookings:read': 'see bookings and calendars',
  'bookings:write': 'book, move and cancel meetings',
  'alerts:read': 'see alert policies',
  'alerts:write': 'change alert policies',
  'webhooks:read': 'see webhooks and their deliveries, with messages and contact details',
  'webhooks:write': 'change webhooks and send deliveries again',
  'org:read': 'see the workspace and its audit log',
  'org:write': 'change the workspace and add workspaces below it',
  'members:read': 'see members and invitations',
  'members:write': 'invite, change and remove members',
  'billing:read': 'see plan and receipts',
  'encryption:read': 'see how content is encrypted',
  'flows:read': 'see flows',
  'flows:write': 'change flows',
  'archive:read': 'see imports',
  'archive:write': 'import archives',
  'usage:read': 'see what was used',
  'analytics:read': 'see statistics',
  'tools:read': 'see tools',
};

/**
 * Returns the scopes to choose from, with descriptions.
 * @param usable names of scopes that permit at least one operation
 */
export function listScopeChoices(usable: readonly string[]) {
  return Object.entries(texts)
    .filter(([name]) => usable.includes(name))
    .map(([name, description]) => ({ name, description }));
}

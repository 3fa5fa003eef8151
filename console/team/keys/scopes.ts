import type { Scope } from '../../client/types.ts';

/** Access of an API key to one kind of objects. */
export type Access = 'none' | 'read' | 'write';

interface ScopeGroup {
  /** First part of the scope's name, such as `bots`. */
  resource: string;
  title: string;
  /** Description of each level of access to the kind of objects. */
  texts: Partial<Record<Exclude<Access, 'none'>, string>>;
}

type Resource = Scope extends `${infer R}:${'read' | 'write'}` ? R : never;

const groups: Record<Resource, Omit<ScopeGroup, 'resource'>> = {
  bots: {
    title: 'Bots',
    texts: { read: 'See bots and their embed code', write: 'Create, change, delete and test bots' },
  },
  knowledge: {
    title: 'Knowledge',
    texts: { read: 'See documents and test retrieval', write: 'Add, change and delete documents' },
  },
  conversations: {
    title: 'Conversations',
    texts: { read: 'Read conversations and transcripts', write: 'Resolve, reopen and delete conversations' },
  },
  contacts: { title: 'Contacts', texts: { read: 'See contacts', write: 'Change and delete contacts' } },
  inbox: {
    title: 'Inbox',
    texts: { read: 'See handoff requests', write: 'Assign, reply to and hand back conversations' },
  },
  bookings: {
    title: 'Bookings',
    texts: { read: 'See meetings and calendars', write: 'Book, move and cancel meetings' },
  },
  alerts: { title: 'Alerts', texts: { read: 'See alerts', write: 'Change alerts' } },
  webhooks: {
    title: 'Webhooks',
    texts: {
      read: 'See endpoints and deliveries, including messages and contact details',
      write: 'Change endpoints and replay deliveries',
    },
  },
  org: {
    title: 'Workspace',
    texts: {
      read: 'See the workspace and its audit log',
      write: 'Change the workspace and add sub-workspaces',
    },
  },
  members: {
    title: 'Members',
    texts: { read: 'See members and invitations', write: 'Invite, change and remove members' },
  },
  billing: { title: 'Billing', texts: { read: 'See the plan and receipts' } },
  encryption: { title: 'Encryption', texts: { read: 'See how content is encrypted' } },
  flows: { title: 'Flows', texts: { read: 'See flows', write: 'Change flows' } },
  archive: {
    title: 'Archive',
    texts: { read: 'See exports and imports', write: 'Export and import archives' },
  },
  usage: { title: 'Usage', texts: { read: 'See usage' } },
  analytics: { title: 'Analytics', texts: { read: 'See analytics' } },
  tools: { title: 'Tool calls', texts: { read: 'See tool calls' } },
};

/**
 * Returns the kinds of objects to which an API key can have access.
 * @param usable names of scopes that permit at least one operation
 */
export function listScopeGroups(usable: readonly string[]): ScopeGroup[] {
  return Object.entries(groups)
    .map(([resource, { title, texts }]) => ({
      resource,
      title,
      texts: Object.fromEntries(
        Object.entries(texts).filter(([access]) => usable.includes(`${resource}:${access}`)),
      ),
    }))
    .filter(({ texts }) => Object.keys(texts).length > 0);
}

/**
 * Returns the access to a kind of objects that an API key's scopes give. Write access includes read access.
 */
export function toAccess(scopes: readonly string[], resource: string): Access {
  if (scopes.includes(`${resource}:write`)) return 'write';
  return scopes.includes(`${resource}:read`) ? 'read' : 'none';
}

/** Returns an API key's scopes, changed to another access to one kind of objects. */
export function setAccess(scopes: readonly string[], resource: string, access: Access): string[] {
  const others = scopes.filter((scope) => scope !== `${resource}:read` && scope !== `${resource}:write`);
  return access === 'none' ? others : [...others, `${resource}:${access}`];
}

/** Formats an API key's scopes as one line per level of access: `Read: Bots, Contacts`. */
export function describeScopes(scopes: readonly string[]): string[] {
  const lines = (['write', 'read'] as const).map((access) => {
    const titles = Object.entries(groups)
      .filter(([resource]) => toAccess(scopes, resource) === access)
      .map(([, { title }]) => title);
    return titles.length === 0 ? '' : `${access === 'write' ? 'Write' : 'Read'}: ${titles.join(', ')}`;
  });
  return lines.filter(Boolean);
}

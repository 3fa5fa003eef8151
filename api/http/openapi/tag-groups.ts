import type { Operation } from '../operation.ts';

/** A heading of the API reference with the tags below it, as in `x-tagGroups` of an OpenAPI document. */
export interface TagGroup {
  name: string;
  tags: string[];
}

/**
 * All tags of API operations in the order in which integrators need them: from the first API key to
 * administration.
 */
const groups: { name: string; tags: Operation['tag'][] }[] = [
  { name: 'Start', tags: ['auth', 'api-keys'] },
  { name: 'Bots', tags: ['bots', 'versions', 'flows', 'directory', 'test-sets'] },
  { name: 'Knowledge', tags: ['knowledge'] },
  { name: 'Widget', tags: ['widget'] },
  { name: 'Conversations', tags: ['conversations', 'contacts'] },
  { name: 'Handoff', tags: ['inbox'] },
  { name: 'Webhooks', tags: ['webhooks'] },
  { name: 'Alerts and bookings', tags: ['alerts', 'bookings'] },
  { name: 'Analytics and archives', tags: ['analytics', 'tool-invocations', 'archive'] },
  {
    name: 'Administration',
    tags: ['orgs', 'members', 'encryption', 'usage', 'billing', 'email-preferences', 'requests', 'meta'],
  },
];

/**
 * Returns the tag groups of an API reference with those of their tags that have operations, without empty
 * groups.
 */
export function groupTags(tags: readonly string[]): TagGroup[] {
  return groups
    .map((group) => ({ name: group.name, tags: group.tags.filter((tag) => tags.includes(tag)) }))
    .filter((group) => group.tags.length > 0);
}

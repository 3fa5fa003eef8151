import { normalizeText } from './normalize-text.ts';

const MAX_LENGTH = 48;
/** Maximum number of characters of a workspace's name that are read: enough for a slug in any script. */
const MAX_NAME_LENGTH = 1000;

/**
 * Converts a workspace's name to a slug of lower-case letters, digits and hyphens; `workspace` if no
 * characters remain.
 */
export function deriveSlug(name: string): string {
  const slug = normalizeText(name, 'NFKD', MAX_NAME_LENGTH)
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'workspace';
}

import { normalizeText } from './normalize-text.ts';

const MAX_LENGTH = 48;
/** Length of the name that suffices for a slug, in any script. */
const MAX_NAME_LENGTH = 1000;

/** Derives a slug from a name: lower-case letters, digits and hyphens; `workspace` if none remain. */
export function deriveSlug(name: string): string {
  const slug = normalizeText(name, 'NFKD', MAX_NAME_LENGTH)
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'workspace';
}

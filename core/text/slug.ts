const MAX_LENGTH = 48;

/** What a name is called in addresses: lower-case letters, digits and hyphens; `workspace` where none are left. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug || 'workspace';
}

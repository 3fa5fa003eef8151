/** Adds the scheme, such as `https:`, to a link such as `example.com/help`. */
export function completeLink(typed: string): string {
  const link = typed.trim();
  return link === '' || /^[a-z][a-z0-9+.-]*:\/\//i.test(link) ? link : `https://${link}`;
}

/** Whether a link leads to a whole website: to its start page or its sitemap. */
export function isSite(link: string): boolean {
  if (!URL.canParse(link)) return false;
  const { pathname, search } = new URL(link);
  return (pathname === '/' && search === '') || /\/[^/]*sitemap[^/]*\.(xml|xml\.gz|txt)$/i.test(pathname);
}

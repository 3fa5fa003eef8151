/** The rest of a URL may hold what only its receiver should know. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'an address that is none';
}

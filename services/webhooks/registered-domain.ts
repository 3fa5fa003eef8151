import { getDomain } from 'tldts';

/**
 * Returns the domain under which the URL's host is registered, such as `example.co.uk`. Providers of subdomains, such as
 * `github.io`, count as registries. Returns the host itself for an IP address or a single name.
 */
export function getRegisteredDomain(url: string): string {
  const host = new URL(url).hostname.replace(/\.$/, '');
  return getDomain(host, { allowPrivateDomains: true }) ?? host;
}

import { domainToASCII } from 'node:url';
import { invalidField } from '../../core/errors/errors.ts';

/** Request headers in which a browser names the page that sends the request. */
export interface PageOrigin {
  origin: string | undefined;
  referer: string | undefined;
}

const ENTRY = /^(?<wildcard>\*\.)?(?<host>\[[^\]]*\]|[^:]*)(?<port>:\d+)?$/;
/** Maximum number of characters in an allowed domain: a host name with its port. */
const MAX_HOST_LENGTH = 260;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/**
 * Returns an allowed domain of a bot, with its wildcard and port, in the spelling of browsers.
 * @throws AppError `validation_error` for an invalid domain
 */
export function normalizeDomain(text: string): string {
  const { wildcard = '', host = '', port = '' } = ENTRY.exec(text)?.groups ?? {};
  const normalized = host.startsWith('[') ? normalizeIpLiteral(host) : domainToASCII(host);
  if (normalized === '') throw invalidField('allowed_domains', `contains ${text}, which is not a host name`);
  return `${wildcard}${normalized}${port}`;
}

function normalizeIpLiteral(literal: string): string {
  return URL.canParse(`http://${literal}`) ? new URL(`http://${literal}`).hostname : '';
}

/**
 * Returns the host and port of the page that sends the request, as the browser names them. Null for a page
 * without a host, such as a file.
 */
export function findPageHost({ origin, referer }: PageOrigin): string | null {
  const address = origin ?? referer ?? '';
  return (URL.canParse(address) && new URL(address).host.slice(0, MAX_HOST_LENGTH)) || null;
}

/**
 * Returns true if a bot may run on the page. A null list allows all pages, an empty list allows none. A list
 * with entries refuses requests that lack both headers that name the page.
 */
export function isAllowedOn(allowedDomains: string[] | null, { origin, referer }: PageOrigin): boolean {
  if (allowedDomains === null) return true;
  const address = origin ?? referer;
  if (address === undefined || !URL.canParse(address)) return false;
  const { hostname, port, protocol } = new URL(address);
  const host = (hostname.startsWith('[') ? hostname : domainToASCII(hostname)).replace(/\.$/, '');
  if (host === '') return false;
  const at = port || DEFAULT_PORTS[protocol];
  return allowedDomains.some((entry) => {
    const { wildcard, host: allowed = '', port: onPort } = ENTRY.exec(entry)?.groups ?? {};
    if (onPort !== undefined && onPort !== `:${at}`) return false;
    return wildcard === undefined
      ? host === allowed
      : host.endsWith(`.${allowed}`) && host.length > allowed.length + 1;
  });
}

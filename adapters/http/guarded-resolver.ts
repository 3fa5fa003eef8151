import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { parseIpAddress } from '../../core/ip-address.ts';
import type { AddressGuard } from './address-guard.ts';
import { createNameServerResolver, isUnknownName, type Resolver } from './name-server-resolver.ts';
import { OutboundError } from './outbound-error.ts';

const DNS_TIMEOUT_MS = 5_000;
/**
 * Maximum number of addresses of a host name that are used; some names have a dozen. A DNS response over TCP
 * may have thousands, and every connection checks each.
 */
const MAX_ADDRESSES = 256;
/** Matches host names with valid lengths (RFC 1035, 2.3.4): 63 characters per label, 253 in total. */
const VALID_NAME_LENGTHS = /^(?=.{1,253}\.?$)[^.]{1,63}(\.[^.]{1,63})*\.?$/;

const loopback: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Parses the URL of an outbound request, relative to `base`, and removes its fragment.
 * @throws OutboundError `refused` if the URL is not http(s), has credentials, or an invalid host
 */
export function parseOutboundUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new OutboundError('refused', 'The URL must be complete and start with https://.');
  }
  if (url.username !== '' || url.password !== '') {
    throw new OutboundError('refused', 'The URL must not contain a user name or a password.');
  }
  if (!VALID_NAME_LENGTHS.test(url.hostname)) {
    throw new OutboundError('refused', 'The host name of the URL is too long.');
  }
  url.hash = '';
  return url;
}

/** Returns the host of a URL as sockets and resolvers expect it: IPv6 addresses without brackets. */
export function parseBareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Resolves the host of a URL, and checks every address with the guard. */
export class GuardedResolver {
  readonly #guard: AddressGuard;
  readonly #resolve: Resolver;

  constructor(guard: AddressGuard, resolve: Resolver = createNameServerResolver()) {
    this.#guard = guard;
    this.#resolve = resolve;
  }

  /**
   * Returns the addresses of a URL's host to connect to. Refuses the host name if any of its addresses is
   * refused, except link-local addresses next to other addresses. Some name servers publish such addresses by
   * mistake; nothing is sent to them.
   * @throws OutboundError `refused`, `dns_not_found` or `dns_timeout`
   */
  async resolveAddresses(url: URL): Promise<LookupAddress[]> {
    const host = parseBareHost(url);
    const family = isIP(host);
    if (family !== 0) return this.#requirePermitted(url, [{ address: host, family }]);
    if (isLocalhost(host)) return this.#selectLoopback(url);
    assertNoRefusal(this.#guard.findGeneralRefusal(url));
    return this.#requirePermitted(url, this.#omitLinkLocal(url, await this.#resolveHost(host)));
  }

  /**
   * Checks a URL whose host name does not resolve yet. The rules for public addresses apply, since only a
   * known address can be in the allow list.
   * @throws OutboundError `refused`
   */
  assertPermittedUnresolved(url: URL): void {
    assertNoRefusal(this.#guard.findPublicRefusal(url));
  }

  /**
   * Checks whether a URL may be requested from one address of its host.
   * @throws OutboundError `refused`
   */
  assertPermitted(url: URL, address: string): void {
    assertNoRefusal(this.#guard.findRefusal(url, address));
  }

  /**
   * Returns the addresses of a host without refused link-local IPv6 addresses, or all addresses if no other
   * remains.
   */
  #omitLinkLocal(url: URL, answers: LookupAddress[]): LookupAddress[] {
    const others = answers.filter(({ address }) => {
      const isPermitted = this.#guard.findRefusal(url, address) === undefined;
      return isPermitted || !isLinkLocalV6(address);
    });
    return others.length > 0 ? others : answers;
  }

  #requirePermitted(url: URL, answers: LookupAddress[]): LookupAddress[] {
    for (const { address } of answers) this.assertPermitted(url, address);
    return answers;
  }

  /**
   * Returns the permitted loopback addresses of this machine. `localhost` is always loopback (RFC 6761, 6.3),
   * so it suffices if the allow list contains either the IPv4 or the IPv6 address.
   */
  #selectLoopback(url: URL): LookupAddress[] {
    const permitted = loopback.filter(({ address }) => this.#guard.findRefusal(url, address) === undefined);
    return permitted.length > 0 ? permitted : this.#requirePermitted(url, [...loopback]);
  }

  async #resolveHost(host: string): Promise<LookupAddress[]> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('DNS did not respond.')), DNS_TIMEOUT_MS);
    });
    try {
      const answers = await Promise.race([this.#resolve(host), timeout]);
      if (answers.length > MAX_ADDRESSES) throw createTooManyAddressesError(host);
      if (answers.length > 0) return answers;
    } catch (error) {
      if (error instanceof OutboundError) throw error;
      if (!isUnknownName(error)) {
        throw new OutboundError('dns_timeout', `The name ${host} could not be looked up.`, { cause: error });
      }
    } finally {
      clearTimeout(timer);
    }
    throw new OutboundError('dns_not_found', `The name ${host} does not exist.`);
  }
}

function createTooManyAddressesError(host: string): OutboundError {
  return new OutboundError('refused', `The name ${host} has more than ${MAX_ADDRESSES} addresses.`);
}

function assertNoRefusal(refusal: string | undefined): void {
  if (refusal !== undefined) throw new OutboundError('refused', refusal);
}

/** Returns whether an address is link-local in IPv6 (fe80::/10). IPv4 addresses mapped into IPv6 are not. */
function isLinkLocalV6(address: string): boolean {
  const parsed = parseIpAddress(address);
  return parsed?.kind() === 'ipv6' && parsed.range() === 'linkLocal';
}

function isLocalhost(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { parseIpAddress, type IpAddress } from '../../core/ip-address.ts';

const GLOBAL_UNICAST_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** Ports above 1023 that browsers block as unsafe (WHATWG Fetch, "block a bad port"). */
export const unsafePorts: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/**
 * Addresses of cloud metadata services, which give out credentials of the machine: AWS, Azure, Google,
 * Alibaba, Tencent, Oracle and OpenStack. Some of the addresses are public.
 */
const metadataAddresses = [
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '169.254.0.23',
  '169.254.10.10',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'fd20:ce::254',
  'fd00:42::42',
  'fe80::a9fe:a9fe',
].map((address) => ipaddr.process(address).toString());

/** Addresses of cloud metadata services as CIDRs, for the allow list of a guard that permits everything. */
export const metadataNetworks: readonly string[] = metadataAddresses.map(
  (address) => `${address}/${isIPv4(address) ? 32 : 128}`,
);

function isInside(address: IpAddress, [network, bits]: [IpAddress, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits);
}

/**
 * Returns whether an IP address belongs to a host on the public internet. Addresses that contain an IPv4
 * address (NAT64, 6to4, Teredo, `::a.b.c.d`) do not count as public.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseIpAddress(address);
  if (parsed === undefined || parsed.range() !== 'unicast' || isMetadata(address)) return false;
  return parsed.kind() === 'ipv4' || isInside(parsed, GLOBAL_UNICAST_V6);
}

const PUBLIC_ONLY = 'is not a host on the public internet, so Parley does not contact it.';

function isWebPort(url: URL): boolean {
  if (url.port === '') return true;
  const port = Number(url.port);
  return port === 80 || port === 443 || (port >= 1024 && !unsafePorts.has(port));
}

function isMetadata(address: string): boolean {
  return metadataAddresses.includes(parseIpAddress(address)?.toString() ?? '');
}

/** Returns whether a refused request concerned a private address, which an operator can allow. */
export function isPrivateRefusal(refusal: string): boolean {
  return refusal.endsWith(PUBLIC_ONLY);
}

export interface AddressGuardOptions {
  /**
   * Address ranges (CIDRs) that requests may reach although they are not public, on any port and by plain
   * http.
   */
  allow: readonly string[];
  /** True if requests by plain http are only permitted to addresses in `allow`. */
  requireHttpsUnlessAllowed?: boolean | undefined;
}

/** Decides which addresses and ports outbound requests may reach. */
export class AddressGuard {
  readonly #allow: [IpAddress, number][];
  readonly #requireHttps: boolean;

  /** @throws Error if an entry of `allow` is not a CIDR */
  constructor({ allow, requireHttpsUnlessAllowed = false }: AddressGuardOptions) {
    this.#allow = allow.map((cidr) => ipaddr.parseCIDR(cidr));
    this.#requireHttps = requireHttpsUnlessAllowed;
  }

  /**
   * Returns the reason why `url` may not be requested from `address`, as a text for people. Undefined if the
   * request is permitted.
   */
  findRefusal(url: URL, address: string): string | undefined {
    if (this.#isAllowListed(address)) return undefined;
    if (!isPublicAddress(address)) return `${url.hostname} ${PUBLIC_ONLY}`;
    return this.findPublicRefusal(url);
  }

  /**
   * Returns the reason why `url` may not be requested from a public address; undefined if the URL may be
   * requested.
   */
  findPublicRefusal(url: URL): string | undefined {
    if (!isWebPort(url)) return `Port ${url.port} is not a port for web requests.`;
    if (this.#requireHttps && url.protocol === 'http:') return 'The URL must start with https://.';
    return undefined;
  }

  /** Returns the reason why `url` may not be requested from any address; undefined if the address decides. */
  findGeneralRefusal(url: URL): string | undefined {
    return this.#allow.length === 0 ? this.findPublicRefusal(url) : undefined;
  }

  /**
   * Returns whether an IP address is in the guard's allow list. A metadata address needs an entry of its own;
   * a wider network does not include metadata addresses.
   */
  #isAllowListed(address: string): boolean {
    const parsed = parseIpAddress(address);
    if (parsed === undefined) return false;
    const min = isMetadata(address) ? parsed.toByteArray().length * 8 : 0;
    return this.#allow.some((network) => network[1] >= min && isInside(parsed, network));
  }
}

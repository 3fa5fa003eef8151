import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { CachedFile } from './cached-file.ts';

export interface SystemNameFiles {
  hostsFile?: string | undefined;
  resolverFile?: string | undefined;
}

/**
 * Host names that the operating system is configured to resolve: its hosts file, and the search domains of
 * resolv.conf.
 */
export class SystemNames {
  readonly #hosts: CachedFile<Map<string, LookupAddress[]>>;
  readonly #search: CachedFile<{ domains: string[]; dots: number }>;

  constructor({ hostsFile = '/etc/hosts', resolverFile = '/etc/resolv.conf' }: SystemNameFiles = {}) {
    this.#hosts = new CachedFile(hostsFile, parseHosts);
    this.#search = new CachedFile(resolverFile, parseSearch);
  }

  /** Returns the addresses of a host name in the hosts file; undefined if the file does not list the name. */
  findAddresses(name: string): LookupAddress[] | undefined {
    return this.#hosts.read().get(name.replace(/\.$/, ''));
  }

  /** Returns the full host names to query for a name, in order, with the search domains of the system. */
  listCandidates(name: string): string[] {
    if (name.endsWith('.')) return [name.slice(0, -1)];
    const { domains, dots } = this.#search.read();
    const searched = domains.map((domain) => `${name}.${domain}`);
    return name.split('.').length > dots ? [name, ...searched] : [...searched, name];
  }
}

function parseHosts(text: string): Map<string, LookupAddress[]> {
  const hosts = new Map<string, LookupAddress[]>();
  for (const [address = '', ...names] of splitConfigLines(text)) {
    const family = isIP(address);
    if (family === 0) continue;
    for (const name of names.map((each) => each.toLowerCase())) {
      hosts.set(name, [...(hosts.get(name) ?? []), { address, family }]);
    }
  }
  return hosts;
}

function parseSearch(text: string): { domains: string[]; dots: number } {
  let domains: string[] = [];
  let dots = 1;
  for (const [keyword, ...values] of splitConfigLines(text)) {
    if (keyword === 'search' || keyword === 'domain') domains = values.filter((domain) => domain !== '.');
    if (keyword === 'options') {
      const ndotsOption = values.findLast((option) => /^ndots:\d+$/.test(option));
      dots = ndotsOption === undefined ? dots : Number(ndotsOption.slice('ndots:'.length));
    }
  }
  return { domains, dots };
}

/** Splits a system configuration file into lines of words. Removes comments. */
function splitConfigLines(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/),
  );
}

import type { LookupAddress, RecordWithTtl } from 'node:dns';
import { Resolver as Channel } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SystemNames, type SystemNameFiles } from './system-names.ts';

/** Resolves a host name to all its addresses. Rejects with errors that have the codes of `node:dns`. */
export type Resolver = (name: string) => Promise<LookupAddress[]>;

export interface NameServerOptions extends SystemNameFiles {
  /** Addresses of DNS servers as `<address>:<port>`; by default the system's DNS servers. */
  servers?: string[];
}

/**
 * Timeout in milliseconds of the first query to a DNS server. The DNS library c-ares extends the timeout for
 * the second query.
 */
const FIRST_TRY_MS = 1_500;
const TRIES = 2;
/** Timeout in milliseconds of a whole DNS lookup, with any number of servers and search domains. */
const LOOKUP_MS = 5_000;
/**
 * Time in milliseconds to wait for the second address family (IPv4 or IPv6) after the first has responded.
 * Some firewalls drop IPv6 queries.
 */
const OTHER_FAMILY_MS = 500;
const MAX_CACHE_MS = 30_000;
const MAX_CACHED_NAMES = 1_000;

interface ResolvedAddresses {
  addresses: LookupAddress[];
  ttlSeconds: number;
}

interface LookupResult {
  found?: ResolvedAddresses;
  error?: unknown;
}

interface KnownName {
  addresses: Promise<LookupAddress[]>;
  expiresAtMs: number;
}

/**
 * Creates a resolver of host names that queries DNS servers directly and returns IPv4 addresses first. The
 * system's lookup blocks a thread and cannot be canceled, so a few names with dead servers would stop all
 * lookups. Concurrent lookups of a name share a query; results are cached for their TTL, at most 30 s.
 */
export function createNameServerResolver({ servers, ...files }: NameServerOptions = {}): Resolver {
  const names = new SystemNames(files);
  const cache = new Map<string, KnownName>();
  return (name) => {
    const inHosts = names.findAddresses(name);
    if (inHosts) return Promise.resolve(inHosts);
    const cached = cache.get(name);
    if (cached && performance.now() < cached.expiresAtMs) return cached.addresses;
    const entry = startLookup(new Lookup(servers).resolveFirst(names.listCandidates(name)));
    cache.delete(name);
    cache.set(name, entry);
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED_NAMES && oldest !== undefined) cache.delete(oldest);
    return entry.addresses;
  };
}

/** Returns whether a DNS error means that the host name does not exist or has no address. */
export function isUnknownName(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(ENOTFOUND|ENODATA|EBADNAME)$/.test(String(error.code))
  );
}

/** Returns whether a DNS error means that a DNS server was reached but could not answer. */
function isServerFailure(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ESERVFAIL|EREFUSED|ENOTIMP|EFORMERR|EBADRESP)$/.test(String(error.code))
  );
}

function startLookup(lookup: Promise<ResolvedAddresses>): KnownName {
  const entry: KnownName = { addresses: lookup.then(({ addresses }) => addresses), expiresAtMs: Infinity };
  const cacheFor = (ms: number) => {
    entry.expiresAtMs = performance.now() + Math.min(ms, MAX_CACHE_MS);
  };
  lookup.then(
    ({ ttlSeconds }) => cacheFor(ttlSeconds * 1000),
    () => cacheFor(0),
  );
  return entry;
}

/**
 * A DNS lookup with its own channel of the library c-ares, since canceling a channel ends all its queries.
 */
class Lookup {
  readonly #channel = new Channel({ timeout: FIRST_TRY_MS, tries: TRIES });
  #isOver = false;

  constructor(servers: string[] | undefined) {
    if (servers) this.#channel.setServers(servers);
  }

  /**
   * Returns the addresses of the first host name that has any.
   * @throws an error after which the name may still exist, if such an error occurred; any error if not
   */
  async resolveFirst(names: readonly string[]): Promise<ResolvedAddresses> {
    const deadline = setTimeout(() => {
      this.#isOver = true;
      this.#channel.cancel();
    }, LOOKUP_MS);
    const errors: unknown[] = [];
    try {
      for (const name of names) {
        const { found, error } = await this.#queryServersInTurn(name);
        if (found) return found;
        errors.push(error);
        if (this.#isOver) break;
      }
    } finally {
      clearTimeout(deadline);
    }
    throw selectUncertainError(errors);
  }

  /**
   * Queries a host name, and tries the next DNS server after a server failure; c-ares alone would stop there.
   */
  async #queryServersInTurn(name: string): Promise<LookupResult> {
    const servers = this.#channel.getServers();
    let result = await this.#query(name);
    while (isServerFailure(result.error) && servers.length > 1 && !this.#isOver) {
      servers.shift();
      this.#channel.setServers(servers);
      result = await this.#query(name);
    }
    return result;
  }

  async #query(name: string): Promise<LookupResult> {
    let otherFamilyTimer: NodeJS.Timeout | undefined;
    const waitForOther = () => {
      otherFamilyTimer ??= setTimeout(() => this.#channel.cancel(), OTHER_FAMILY_MS);
    };
    const questions = [
      this.#channel.resolve4(name, { ttl: true }),
      this.#channel.resolve6(name, { ttl: true }),
    ];
    for (const question of questions) question.then(waitForOther, () => {});
    const answers = await Promise.allSettled(questions);
    clearTimeout(otherFamilyTimer);
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (records.length > 0) return { found: toFoundAddresses(records) };
    return {
      error: selectUncertainError(
        answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : [])),
      ),
    };
  }
}

function toFoundAddresses(records: readonly RecordWithTtl[]): ResolvedAddresses {
  return {
    addresses: records.map(({ address }) => ({ address, family: isIP(address) })),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
  };
}

/**
 * Returns the error of a lookup to report. Prefers an error after which the name may still exist. Only
 * without such an error does the name certainly not exist.
 */
function selectUncertainError(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isUnknownName(error)) ?? errors[0];
}

import type { LookupAddress, RecordWithTtl } from 'node:dns';
import { Resolver as Channel } from 'node:dns/promises';
import { isIP } from 'node:net';
import { SystemNames, type SystemNameFiles } from './system-names.ts';

/** Every address of a name; rejects with the codes of `node:dns`. */
export type Resolver = (name: string) => Promise<LookupAddress[]>;

export interface NameServerOptions extends SystemNameFiles {
  /** Each as `<address>:<port>`, instead of those of the system. */
  servers?: string[];
}

/** Of one question to one server; it is asked again once, and then has more time. */
const FIRST_TRY_MS = 1_500;
const TRIES = 2;
/** Bounds a look-up, whatever the number of servers and of domains to search. */
const LOOKUP_MS = 5_000;
/** How long addresses of one family wait for those of the other: some firewalls drop questions for IPv6 ones. */
const OTHER_FAMILY_MS = 500;
const LONGEST_KEPT_MS = 30_000;
const KEPT_NAMES = 1_000;

interface Found {
  addresses: LookupAddress[];
  ttlSeconds: number;
}

interface Asked {
  found?: Found;
  error?: unknown;
}

interface KnownName {
  addresses: Promise<LookupAddress[]>;
  keptUntilMs: number;
}

/**
 * Looks names up by asking the name servers itself, IPv4 addresses first. The system's own look-up occupies a thread that
 * cannot be taken back, so that a few names whose servers never answer would keep all others waiting. A name is asked
 * for once at a time, and kept as long as its servers say, at most 30 s.
 */
export function createNameServerResolver({ servers, ...files }: NameServerOptions = {}): Resolver {
  const names = new SystemNames(files);
  const known = new Map<string, KnownName>();
  return (name) => {
    const inHosts = names.addressesOf(name);
    if (inHosts) return Promise.resolve(inHosts);
    const kept = known.get(name);
    if (kept && performance.now() < kept.keptUntilMs) return kept.addresses;
    const entry = look(new Lookup(servers).first(names.candidates(name)));
    known.delete(name);
    known.set(name, entry);
    const [oldest] = known.keys();
    if (known.size > KEPT_NAMES && oldest !== undefined) known.delete(oldest);
    return entry.addresses;
  };
}

/** Whether a look-up ended with the news that there is no such name, or that it has no address. */
export function isUnknownName(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && /^(ENOTFOUND|ENODATA|EBADNAME)$/.test(String(error.code))
  );
}

/** Whether a server has answered that it cannot answer. */
function isIll(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(ESERVFAIL|EREFUSED|ENOTIMP|EFORMERR|EBADRESP)$/.test(String(error.code))
  );
}

function look(found: Promise<Found>): KnownName {
  const entry: KnownName = { addresses: found.then(({ addresses }) => addresses), keptUntilMs: Infinity };
  const keep = (ms: number) => {
    entry.keptUntilMs = performance.now() + Math.min(ms, LONGEST_KEPT_MS);
  };
  found.then(
    ({ ttlSeconds }) => keep(ttlSeconds * 1000),
    () => keep(0),
  );
  return entry;
}

/** Has a channel of its own, because cancelling ends all that a channel has under way. */
class Lookup {
  readonly #channel = new Channel({ timeout: FIRST_TRY_MS, tries: TRIES });
  #isOver = false;

  constructor(servers: string[] | undefined) {
    if (servers) this.#channel.setServers(servers);
  }

  /** What the first name that has addresses has. @throws the first error that leaves a name in doubt, or else any */
  async first(names: readonly string[]): Promise<Found> {
    const deadline = setTimeout(() => {
      this.#isOver = true;
      this.#channel.cancel();
    }, LOOKUP_MS);
    const errors: unknown[] = [];
    try {
      for (const name of names) {
        const { found, error } = await this.#askInTurn(name);
        if (found) return found;
        errors.push(error);
        if (this.#isOver) break;
      }
    } finally {
      clearTimeout(deadline);
    }
    throw gravest(errors);
  }

  /** A server that is ill says so at once, and c-ares leaves it at that: the next one is asked then. */
  async #askInTurn(name: string): Promise<Asked> {
    const servers = this.#channel.getServers();
    let asked = await this.#ask(name);
    while (isIll(asked.error) && servers.length > 1 && !this.#isOver) {
      servers.shift();
      this.#channel.setServers(servers);
      asked = await this.#ask(name);
    }
    return asked;
  }

  async #ask(name: string): Promise<Asked> {
    let impatience: NodeJS.Timeout | undefined;
    const waitForOther = () => {
      impatience ??= setTimeout(() => this.#channel.cancel(), OTHER_FAMILY_MS);
    };
    const questions = [
      this.#channel.resolve4(name, { ttl: true }),
      this.#channel.resolve6(name, { ttl: true }),
    ];
    for (const question of questions) question.then(waitForOther, () => {});
    const answers = await Promise.allSettled(questions);
    clearTimeout(impatience);
    const records = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (records.length > 0) return { found: foundIn(records) };
    return {
      error: gravest(answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []))),
    };
  }
}

function foundIn(records: readonly RecordWithTtl[]): Found {
  return {
    addresses: records.map(({ address }) => ({ address, family: isIP(address) })),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
  };
}

/** That a name is unknown is only certain if nothing else went wrong. */
function gravest(errors: readonly unknown[]): unknown {
  return errors.find((error) => !isUnknownName(error)) ?? errors[0];
}

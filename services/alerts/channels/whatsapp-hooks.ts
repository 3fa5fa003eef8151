import { createHmac, timingSafeEqual } from 'node:crypto';
import { whatsappOutcome } from '../../../adapters/messaging/whatsapp-errors.ts';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import { cutBatches } from '../../../core/cut-batches.ts';
import { groupedBy } from '../../../core/grouped.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { storableText } from '../../../core/text/storable-text.ts';
import type { Database } from '../../../database/database.ts';
import type { AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertAttemptRepository } from '../../../repositories/alerts/alert-attempt.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertProviderRepository } from '../../../repositories/alerts/alert-provider.repository.ts';
import type { AlertConnectionService } from './alert-connection-service.ts';
import type { DestinationHealth } from './destination-health.ts';
import type { LateStatus, LateStatuses } from '../messages/late-statuses.ts';

const CODE = /(?:^|\s)([A-Za-z0-9_-]{43})(?=\s|$)/;
const STOP = /^(?:stop|unsubscribe|stopp|arrêt|arret|baja|parar|stoppen)\s{0,20}[.!]?$/i;
/** Meta tries again for seven days; what is older is no news, and not remembered either. */
const LONGEST_SECONDS = 7 * 86_400;
/** With the week above, less than what was handed in is remembered. */
const MOST_AHEAD_SECONDS = 86_400;
/** Messages or statuses of one transaction: 3 MB hold up to 70,000. */
const AT_ONCE = { maxItems: 500 };
/** Meta tells whole seconds, and clocks differ. */
const SAME_TIME_MS = 60_000;

const SIGNATURE = /^sha256=[\da-f]{64}$/;

/** Tells whether Meta has signed the bytes that were added. */
export interface SignatureCheck {
  add(chunk: Buffer): void;
  isSigned(): boolean;
}

interface Inbound {
  id?: unknown;
  from?: unknown;
  timestamp?: unknown;
  text?: { body?: unknown };
}

interface Status {
  id?: unknown;
  status?: unknown;
  biz_opaque_callback_data?: unknown;
  errors?: unknown;
}

interface StatusError {
  code?: unknown;
  title?: unknown;
  error_data?: { details?: unknown };
}

interface Profiled {
  profile?: { name?: unknown };
}

interface Value {
  metadata?: { phone_number_id?: unknown };
  contacts?: unknown;
  messages?: unknown;
  statuses?: unknown;
}

export interface WhatsappHooksDeps {
  attempts: AlertAttemptRepository;
  destinations: AlertDestinationRepository;
  providers: AlertProviderRepository;
  connections: AlertConnectionService;
  health: DestinationHealth;
  statuses: LateStatuses;
  log: Logger;
  settings: Pick<Settings, 'whatsappAppSecret' | 'whatsappVerifyToken' | 'whatsappPhoneNumberId'>;
}

/** What Meta hands in: who has written, and what became of messages. */
export class WhatsappHooks {
  readonly #deps: WhatsappHooksDeps;

  constructor(deps: WhatsappHooksDeps) {
    this.#deps = deps;
  }

  get isSetUp(): boolean {
    return this.#deps.settings.whatsappAppSecret !== undefined;
  }

  isVerifyToken(token: string): boolean {
    const { whatsappVerifyToken: expected } = this.#deps.settings;
    return expected !== undefined && isEqual(token, expected);
  }

  /** Checks a signature while the bytes arrive, so that many large bodies do not hold up the event loop. Null for what is none. */
  checkOf(signature: string): SignatureCheck | null {
    const { whatsappAppSecret: secret } = this.#deps.settings;
    if (secret === undefined || !SIGNATURE.test(signature)) return null;
    const hmac = createHmac('sha256', secret);
    return {
      add: (chunk) => void hmac.update(chunk),
      isSigned: () => isEqual(signature, `sha256=${hmac.digest('hex')}`),
    };
  }

  /**
   * Takes messages and statuses in batches, each in one transaction. What fails is handed in again; handed in twice, it has happened
   * once.
   */
  async take(database: Database, body: unknown): Promise<void> {
    const { settings, statuses } = this.#deps;
    const values = valuesOf(body).filter(
      ({ metadata }) => metadata?.phone_number_id === settings.whatsappPhoneNumberId,
    );
    const written = values.flatMap(({ contacts, messages }) => {
      const name = textOrNull(objectsOf<Profiled>(contacts)[0]?.profile?.name);
      return objectsOf<Inbound>(messages).map((message) => ({ message, name }));
    });
    for (const batch of cutBatches(written, AT_ONCE)) {
      const heard = batch.flatMap(({ message, name }) => heardOf(message, name) ?? []);
      if (heard.length > 0) await database.transaction((db) => this.#hear(db, heard));
    }
    for (const batch of cutBatches(
      values.flatMap((value) => objectsOf<Status>(value.statuses)),
      AT_ONCE,
    )) {
      const told = batch.flatMap((status) => statusOf(status) ?? []);
      if (told.length > 0) await database.transaction((db) => statuses.follow(db, told));
    }
  }

  /** Only messages with an open code, or from numbers that a workspace has, are recorded and change anything. */
  async #hear(db: Database, heard: readonly Heard[]): Promise<void> {
    const { attempts, providers, connections, destinations } = this.#deps;
    const digests = heard.flatMap(({ codeDigest }) => codeDigest ?? []);
    const open = new Set(await attempts.listOpen(db, 'whatsapp', digests));
    const known = new KnownNumbers(
      await destinations.listEverywhere(db, 'whatsapp', [...new Set(heard.map((each) => each.destination))]),
    );
    const opens = ({ codeDigest }: Heard) => codeDigest !== null && open.has(codeDigest);
    const relevant = heard.filter((each) => opens(each) || known.has(each.destination));
    const news = await providers.note(
      db,
      relevant.map(({ id }) => noteOf(id)),
    );
    const lastAt = new Map<string, Date>();
    const seen = new Set<string>();
    for (const each of relevant) {
      const { id, destination, name, at, code } = each;
      if (!news.has(noteOf(id)) || seen.has(id)) continue;
      seen.add(id);
      if (code !== null && opens(each)) {
        await connections.connect(db, 'whatsapp', { code, destination, name, consent: id, at });
        open.delete(each.codeDigest!);
        known.replace(destination, await destinations.listEverywhere(db, 'whatsapp', [destination]));
      }
      if (each.isStop) await this.#stop(db, each, known);
      if (at >= (lastAt.get(destination) ?? at)) lastAt.set(destination, at);
    }
    for (const [destination, at] of [...lastAt].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await destinations.heard(db, { channel: 'whatsapp', destination }, at);
  }

  async #stop(db: Database, { destination, at }: Heard, known: KnownNumbers): Promise<void> {
    for (const row of known.of(destination)) {
      const { orgId, verifiedAt, blockedAt } = row;
      // Handed in late, it is of before its person agreed anew.
      const isOld = verifiedAt !== null && at.getTime() < verifiedAt.getTime() - SAME_TIME_MS;
      if (isOld || blockedAt !== null) continue;
      const place = { channel: 'whatsapp', destination } as const;
      await this.#deps.health.block({ orgId, db }, place, 'This number has answered STOP.');
      row.blockedAt = at;
    }
  }
}

/** A message of a person, as far as it matters here. */
interface Heard {
  id: string;
  destination: string;
  name: string | null;
  at: Date;
  /** By which a number is tied to a workspace. */
  code: string | null;
  codeDigest: string | null;
  isStop: boolean;
}

/** Null for what is no message, or too old. */
function heardOf({ id, from, timestamp, text }: Inbound, name: string | null): Heard | null {
  const known = textOrNull(id);
  if (known === null || typeof from !== 'string' || !/^\d{6,15}$/.test(from)) return null;
  const now = Date.now();
  const writtenAt = Number(timestamp) * 1000;
  if (!(now - writtenAt < LONGEST_SECONDS * 1000 && writtenAt - now < MOST_AHEAD_SECONDS * 1000)) return null;
  const said = textOrNull(text?.body) ?? '';
  const [, code = null] = CODE.exec(said) ?? [];
  return {
    id: known,
    destination: `+${from}`,
    name,
    at: new Date(Math.min(writtenAt, now)),
    code,
    codeDigest: code === null ? null : digestSecret(code),
    isStop: STOP.test(said.trim()),
  };
}

/** Null for what is no status. */
function statusOf({ id, status, biz_opaque_callback_data: ours, errors }: Status): LateStatus | null {
  const providerId = textOrNull(id);
  if (providerId === null || typeof status !== 'string') return null;
  const [error] = objectsOf<StatusError>(errors);
  const details = textOrNull(error?.error_data?.details) ?? textOrNull(error?.title) ?? '';
  const outcome = status === 'failed' ? whatsappOutcome(Number(error?.code ?? 0), details) : null;
  return { providerId, messageId: textOrNull(ours), status, outcome };
}

/** What workspaces know of numbers. */
class KnownNumbers {
  readonly #rows = new Map<string, AlertDestination[]>();

  constructor(rows: readonly AlertDestination[]) {
    for (const [destination, own] of groupedBy(rows, (row) => row.destination))
      this.#rows.set(destination, own);
  }

  has(destination: string): boolean {
    return this.#rows.has(destination);
  }

  of(destination: string): readonly AlertDestination[] {
    return this.#rows.get(destination) ?? [];
  }

  replace(destination: string, rows: AlertDestination[]): void {
    this.#rows.set(destination, rows);
  }
}

function noteOf(id: string): string {
  return `whatsapp:${id}`;
}

function valuesOf(body: unknown): Value[] {
  const { object, entry } = (body ?? {}) as {
    object?: unknown;
    entry?: unknown;
  };
  if (object !== 'whatsapp_business_account') return [];
  return objectsOf<{ changes?: unknown }>(entry).flatMap(({ changes }) =>
    objectsOf<{ field?: unknown; value?: unknown }>(changes).flatMap(({ field, value }) =>
      field === 'messages' ? objectsOf<Value>([value]) : [],
    ),
  );
}

/** Those of a list, if it is one. */
function objectsOf<T extends object>(list: unknown): T[] {
  return Array.isArray(list)
    ? list.filter((each): each is T => typeof each === 'object' && each !== null)
    : [];
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? storableText(cutText(value, 1000)) : null;
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

import { createHmac, timingSafeEqual } from 'node:crypto';
import { whatsappOutcome } from '../../adapters/messaging/whatsapp-errors.ts';
import type { Logger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { cutText } from '../../core/text/cut-text.ts';
import type { Database } from '../../database/database.ts';
import type { AlertDestinationRepository } from '../../repositories/alerts/alert-destination.repository.ts';
import type { AlertProviderRepository } from '../../repositories/alerts/alert-provider.repository.ts';
import type { AlertConnectionService } from './connections.service.ts';
import type { DestinationHealth } from './destination-health.ts';
import type { LateStatuses } from './late-statuses.ts';

const CODE = /(?:^|\s)([A-Za-z0-9_-]{43})(?=\s|$)/;
const STOP = /^\s*(stop|unsubscribe|stopp|arrêt|arret|baja|parar|stoppen)\s*[.!]?\s*$/i;
/** Meta tries again for seven days; what is older is no news, and not remembered either. */
const LONGEST_SECONDS = 7 * 86_400;
/** Meta tells whole seconds, and clocks differ. */
const SAME_TIME_MS = 60_000;

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

  /** Whether Meta has signed these bytes. */
  isSigned(body: Buffer, signature: string): boolean {
    const { whatsappAppSecret: secret } = this.#deps.settings;
    if (secret === undefined) return false;
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    return isEqual(signature, `sha256=${digest}`);
  }

  /** All or nothing: what fails is handed in again. Handed in twice, it has happened once. */
  async take(database: Database, body: unknown): Promise<void> {
    for (const value of valuesOf(body)) {
      if (value.metadata?.phone_number_id !== this.#deps.settings.whatsappPhoneNumberId) continue;
      const name = textOrNull(objectsOf<Profiled>(value.contacts)[0]?.profile?.name);
      await database.transaction(async (db) => {
        for (const message of objectsOf<Inbound>(value.messages)) await this.#hear(db, message, name);
        for (const status of objectsOf<Status>(value.statuses)) await this.#follow(db, status);
      });
    }
  }

  async #hear(db: Database, { id, from, timestamp, text }: Inbound, name: string | null): Promise<void> {
    const { providers, connections, destinations, health } = this.#deps;
    if (typeof id !== 'string' || typeof from !== 'string' || !/^\d{6,15}$/.test(from)) return;
    const writtenAt = Number(timestamp) * 1000;
    if (!(Date.now() - writtenAt < LONGEST_SECONDS * 1000)) return;
    if (!(await providers.note(db, `whatsapp:${id}`))) return;
    const at = new Date(Math.min(writtenAt, Date.now()));
    const destination = `+${from}`;
    const said = textOrNull(text?.body) ?? '';
    const [, code] = CODE.exec(said) ?? [];
    if (code !== undefined)
      await connections.connect(db, 'whatsapp', { code, destination, name, consent: id, at });
    for (const { orgId, verifiedAt } of await destinations.listEverywhere(db, 'whatsapp', destination)) {
      const scope = { orgId, db };
      const place = { channel: 'whatsapp', destination } as const;
      await destinations.heard(scope, place, at);
      // Handed in late, it is of before its person agreed anew.
      const isOld = verifiedAt !== null && at.getTime() < verifiedAt.getTime() - SAME_TIME_MS;
      if (STOP.test(said) && !isOld) await health.block(scope, place, 'This number has answered STOP.');
    }
  }

  async #follow(db: Database, { id, status, biz_opaque_callback_data: ours, errors }: Status): Promise<void> {
    if (typeof id !== 'string' || typeof status !== 'string') return;
    const [error] = objectsOf<StatusError>(errors);
    const details = textOrNull(error?.error_data?.details) ?? textOrNull(error?.title) ?? '';
    const outcome = status === 'failed' ? whatsappOutcome(Number(error?.code ?? 0), details) : null;
    await this.#deps.statuses.follow(db, { providerId: id, messageId: textOrNull(ours), status, outcome });
  }
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
  return typeof value === 'string' && value !== '' ? cutText(value, 1000) : null;
}

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

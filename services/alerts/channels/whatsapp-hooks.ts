import { createHmac, timingSafeEqual } from 'node:crypto';
import {
  asObject,
  readId,
  readInteger,
  readTextValue,
  type JsonObject,
} from '../../../adapters/http/response-values.ts';
import { classifyWhatsappError } from '../../../adapters/messaging/whatsapp-errors.ts';
import { digestSecret } from '../../../core/accounts/secret-digest.ts';
import { cutBatches } from '../../../core/cut-batches.ts';
import { groupItems } from '../../../core/group-items.ts';
import type { Logger } from '../../../core/logger.ts';
import { toSingleLine } from '../../../core/text/single-line.ts';
import type { Settings } from '../../../core/settings/settings.ts';
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
/** Maximum age of WhatsApp messages and statuses that are handled. Meta retries webhooks for seven days. */
const MAX_AGE_SECONDS = 7 * 86_400;
/**
 * Maximum time by which the timestamp of a WhatsApp message may be in the future. Together with the seven
 * days, it stays below the nine days for which message ids are stored.
 */
const MAX_AHEAD_SECONDS = 86_400;
/**
 * Maximum number of WhatsApp messages or statuses in one transaction. A request body of 3 MB may contain
 * 70,000.
 */
const BATCH_LIMITS = { maxItems: 500 };
/**
 * Maximum number of characters of a WhatsApp message that are searched for the code of a connection link.
 * This is enough for a code within a sentence.
 */
const MAX_READ_LENGTH = 1000;
/**
 * Tolerance when Meta's timestamps are compared with Parley's, because Meta sends whole seconds and clocks
 * differ.
 */
const CLOCK_TOLERANCE_MS = 60_000;

const SIGNATURE = /^sha256=[\da-f]{64}$/;

/** Verifies the signature of a webhook request from Meta over all bytes of the body that were added. */
export interface SignatureCheck {
  add(chunk: Buffer): void;
  isSigned(): boolean;
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

/** Handles webhook requests from Meta, which contain messages from people and statuses of sent messages. */
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
    return expected !== undefined && isEqualInConstantTime(token, expected);
  }

  /**
   * Starts the signature check of a webhook request, which runs in steps, so that large bodies do not block
   * the event loop. Returns null for a malformed signature.
   */
  startSignatureCheck(signature: string): SignatureCheck | null {
    const { whatsappAppSecret: secret } = this.#deps.settings;
    if (secret === undefined || !SIGNATURE.test(signature)) return null;
    const hmac = createHmac('sha256', secret);
    return {
      add: (chunk) => void hmac.update(chunk),
      isSigned: () => isEqualInConstantTime(signature, `sha256=${hmac.digest('hex')}`),
    };
  }

  /**
   * Handles the messages and statuses of a webhook request in batches, each in one transaction. Meta repeats
   * failed requests; a repetition has no further effect.
   */
  async receive(database: Database, body: unknown): Promise<void> {
    const { settings, statuses } = this.#deps;
    const values = extractValues(body).filter(
      ({ metadata }) => asObject(metadata)['phone_number_id'] === settings.whatsappPhoneNumberId,
    );
    const namedMessages = values.flatMap(({ contacts, messages }) => {
      const name =
        toSingleLine(readTextValue(asObject(filterObjects(contacts)[0]?.['profile'])['name'])) || null;
      return filterObjects(messages).map((message) => ({ message, name }));
    });
    for (const batch of cutBatches(namedMessages, BATCH_LIMITS)) {
      const received = batch.flatMap(({ message, name }) => parseReceivedMessage(message, name) ?? []);
      if (received.length > 0) await database.transaction((db) => this.#receiveMessages(db, received));
    }
    for (const batch of cutBatches(
      values.flatMap(({ statuses: reported }) => filterObjects(reported)),
      BATCH_LIMITS,
    )) {
      const updates = batch.flatMap((status) => parseStatus(status) ?? []);
      if (updates.length > 0) await database.transaction((db) => statuses.apply(db, updates));
    }
  }

  /**
   * Handles WhatsApp messages that contain the code of a pending connection link or come from a connected
   * number. Ignores all other messages.
   */
  async #receiveMessages(db: Database, received: readonly ReceivedMessage[]): Promise<void> {
    const { attempts, providers, connections, destinations } = this.#deps;
    const digests = received.flatMap(({ codeDigest }) => codeDigest ?? []);
    const pendingDigests = new Set(await attempts.listUnfinished(db, 'whatsapp', digests));
    const numbers = new DestinationsByNumber(
      await destinations.listUnscoped(db, 'whatsapp', [...new Set(received.map((each) => each.destination))]),
    );
    const opensLink = ({ codeDigest }: ReceivedMessage) =>
      codeDigest !== null && pendingDigests.has(codeDigest);
    const relevant = received.filter((each) => opensLink(each) || numbers.has(each.destination));
    const newIds = await providers.recordInbound(
      db,
      relevant.map(({ id }) => toInboundId(id)),
    );
    const lastAt = new Map<string, Date>();
    const handledIds = new Set<string>();
    for (const each of relevant) {
      const { id, destination, name, at, code } = each;
      if (!newIds.has(toInboundId(id)) || handledIds.has(id)) continue;
      handledIds.add(id);
      if (code !== null && opensLink(each)) {
        await connections.connect(db, 'whatsapp', { code, destination, name, consent: id, at });
        pendingDigests.delete(each.codeDigest!);
        numbers.replace(destination, await destinations.listUnscoped(db, 'whatsapp', [destination]));
      }
      if (each.isStop) await this.#unsubscribe(db, each, numbers);
      if (at >= (lastAt.get(destination) ?? at)) lastAt.set(destination, at);
    }
    for (const [destination, at] of [...lastAt].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      await destinations.markInbound(db, { channel: 'whatsapp', destination }, at);
  }

  async #unsubscribe(
    db: Database,
    { destination, at }: ReceivedMessage,
    numbers: DestinationsByNumber,
  ): Promise<void> {
    for (const row of numbers.listRows(destination)) {
      const { orgId, verifiedAt, blockedAt } = row;
      // A STOP that arrived late, and was sent before the person's latest consent, is ignored.
      const isOld = verifiedAt !== null && at.getTime() < verifiedAt.getTime() - CLOCK_TOLERANCE_MS;
      if (isOld || blockedAt !== null) continue;
      const destinationKey = { channel: 'whatsapp', destination } as const;
      await this.#deps.health.block(
        { orgId, db },
        destinationKey,
        'This number has opted out by replying STOP.',
      );
      row.blockedAt = at;
    }
  }
}

/** Fields of a person's WhatsApp message that Parley uses. */
interface ReceivedMessage {
  id: string;
  destination: string;
  name: string | null;
  at: Date;
  /** Code of a connection link that the message contains; null if the message contains no such code. */
  code: string | null;
  codeDigest: string | null;
  isStop: boolean;
}

/**
 * Parses a person's WhatsApp message; null if it is invalid or too old. Fields may be missing or have another
 * type.
 */
function parseReceivedMessage(message: JsonObject, name: string | null): ReceivedMessage | null {
  const { from, timestamp, text } = message;
  const id = readId(message['id']);
  if (id === null || typeof from !== 'string' || !/^\d{6,15}$/.test(from)) return null;
  const now = Date.now();
  const writtenAt =
    (typeof timestamp === 'string' ? Number(timestamp) : (readInteger(timestamp) ?? NaN)) * 1000;
  if (!(now - writtenAt < MAX_AGE_SECONDS * 1000 && writtenAt - now < MAX_AHEAD_SECONDS * 1000)) return null;
  const body = readTextValue(asObject(text)['body'], MAX_READ_LENGTH);
  const [, code = null] = CODE.exec(body) ?? [];
  return {
    id,
    destination: `+${from}`,
    name,
    at: new Date(Math.min(writtenAt, now)),
    code,
    codeDigest: code === null ? null : digestSecret(code),
    isStop: STOP.test(body.trim()),
  };
}

/**
 * Parses Meta's status of a sent message; null if it is invalid. Fields may be missing or have another type.
 */
function parseStatus({
  id,
  status,
  biz_opaque_callback_data: callbackData,
  errors,
}: JsonObject): LateStatus | null {
  const providerId = readId(id);
  if (providerId === null || typeof status !== 'string') return null;
  const { code, title, error_data: data } = filterObjects(errors)[0] ?? {};
  const details = readTextValue(asObject(data)['details']) || readTextValue(title);
  const outcome = status === 'failed' ? classifyWhatsappError(readInteger(code) ?? 0, details) : null;
  return { providerId, messageId: readId(callbackData), status, outcome };
}

/** Finds the destinations of alerts with a phone number, in all workspaces. */
class DestinationsByNumber {
  readonly #rows = new Map<string, AlertDestination[]>();

  constructor(rows: readonly AlertDestination[]) {
    for (const [destination, own] of groupItems(rows, (row) => row.destination))
      this.#rows.set(destination, own);
  }

  has(destination: string): boolean {
    return this.#rows.has(destination);
  }

  listRows(destination: string): readonly AlertDestination[] {
    return this.#rows.get(destination) ?? [];
  }

  replace(destination: string, rows: AlertDestination[]): void {
    this.#rows.set(destination, rows);
  }
}

function toInboundId(id: string): string {
  return `whatsapp:${id}`;
}

/** Returns the `value` objects of Meta's webhook request that concern messages. */
function extractValues(body: unknown): JsonObject[] {
  const { object, entry } = asObject(body);
  if (object !== 'whatsapp_business_account') return [];
  return filterObjects(entry).flatMap(({ changes }) =>
    filterObjects(changes).flatMap(({ field, value }) => (field === 'messages' ? [asObject(value)] : [])),
  );
}

/** Returns the elements of a list that are objects; empty if the value is not a list. */
function filterObjects(list: unknown): JsonObject[] {
  return Array.isArray(list)
    ? list.filter((each): each is JsonObject => typeof each === 'object' && each !== null)
    : [];
}

function isEqualInConstantTime(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

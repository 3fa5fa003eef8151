import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { Messenger, SendOutcome } from '../../../adapters/messaging/messenger.ts';
import type { Clock } from '../../../core/clock.ts';
import { KEY_UNAVAILABLE } from '../../../core/encryption/holds.ts';
import { isKeyUnavailable } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { AlertChannel, AlertDestination } from '../../../entities/alerts/alert-destination.entity.ts';
import type { AlertMessage } from '../../../entities/alerts/alert-message.entity.ts';
import type { AlertDayRepository } from '../../../repositories/alerts/alert-day.repository.ts';
import type { AlertDestinationRepository } from '../../../repositories/alerts/alert-destination.repository.ts';
import type { AlertMessageRepository } from '../../../repositories/alerts/alert-message.repository.ts';
import type { AlertPolicyRepository } from '../../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../../repositories/alerts/alert.repository.ts';
import { isAwaited, type AlertQueue } from '../alert-queue.ts';
import type { Awaited } from './message-places.ts';
import type { Attempted } from './attempted.ts';
import type { AlertWriter } from '../alert-writer.ts';
import { pauseAfter, type SendResults } from './send-results.ts';

const HOUR_MS = 3_600_000;
/** How long WhatsApp takes free text after somebody has written. */
const WINDOW_MS = 24 * HOUR_MS;
/** Beyond, there is no use in it. */
const LONGEST_MS = 72 * HOUR_MS;
/** Until then a provider that tells of messages has told of one that may have been taken. */
const UNSURE_MS = 30_000;

/** For the moment that a provider takes it at: whoever would wait for longer asks again. */
const LONGEST_TURN_MS = 3000;
/** Between two attempts, where the provider has told of the failure of the first one afterwards. */
const RETURNED_MS = 60_000;
const RETURNED = 'It was not delivered.';
const LONGEST_CHAT_TURN_MS = 1000;
const CROWDED: SendOutcome = {
  kind: 'later',
  reason: 'Many other messages go to the provider before it.',
  waitMs: LONGEST_TURN_MS,
  isUnsure: false,
};
const CHAT_CROWDED: SendOutcome = {
  ...CROWDED,
  reason: 'Other messages go to the chat before it.',
  waitMs: LONGEST_CHAT_TURN_MS,
};
const BLOCKED = 'The destination takes no messages.';

export interface MessageSenderDeps {
  policies: AlertPolicyRepository;
  destinations: AlertDestinationRepository;
  messages: AlertMessageRepository;
  alerts: AlertRepository;
  days: AlertDayRepository;
  queue: AlertQueue;
  writer: AlertWriter;
  results: SendResults;
  messengers: Readonly<Record<AlertChannel, Messenger>>;
  clock: Clock;
  log: Logger;
}

/** Hands one message over. Each step may be repeated: what may have been taken is marked before, and counted once. */
export class MessageSender {
  readonly #deps: MessageSenderDeps;

  constructor(deps: MessageSenderDeps) {
    this.#deps = deps;
  }

  /** @throws AppError `key_unavailable` where there was no attempt */
  async attempt(scope: OrgScope, messageId: string, signal: AbortSignal): Promise<Attempted> {
    const { messages, destinations, messengers } = this.#deps;
    const message = await messages.find(scope, messageId);
    if (!message || !isOpen(message)) return over(message);
    const messenger = messengers[message.channel];
    const { attempts } = message;
    const unsureMs = this.#unsureMs(message, messenger);
    if (unsureMs > 0)
      return { state: 'again', waitMs: unsureMs, reason: 'It may have been taken.', attempts };
    const destination = await destinations.find(scope, message);
    if (!destination || this.#isExpired(message))
      return this.#deps.results.fail(scope, message, 'It could not be sent in time.');
    if (destination.blockedAt && message.kind !== 'code')
      return this.#deps.results.fail(scope, message, destination.blockedReason ?? BLOCKED);
    const pauseMs = this.#pauseMs(message);
    if (pauseMs > 0) return { state: 'again', waitMs: pauseMs, reason: message.reason ?? RETURNED, attempts };
    const content = await this.#contentOf(scope, message);
    if (!content) return this.#deps.results.withdraw(scope, message);
    if (!(await messages.begin(scope, message))) return over(await messages.find(scope, messageId));
    const begun = { ...message, attempts: message.attempts + 1 };
    const crowded = await this.#waitForTurns(scope, messenger, begun, signal);
    const outcome = crowded ?? (await this.#send(messenger, begun, destination, content, signal));
    return this.#deps.results.record(scope, begun, content, outcome);
  }

  /** Null where it is done with. */
  async findAwaited(scope: OrgScope, messageId: string): Promise<Awaited | null> {
    const { messages, alerts } = this.#deps;
    const message = await messages.find(scope, messageId);
    if (!message || !isOpen(message)) return null;
    const { channel, kind } = message;
    return { channel, isUrgent: isAwaited(kind) || (await alerts.isAnyCritical(scope, messageId)) };
  }

  /** Nothing is tried any more. */
  async giveUp(scope: OrgScope, messageId: string): Promise<Attempted> {
    const message = await this.#deps.messages.find(scope, messageId);
    if (!message || !isOpen(message)) return over(message);
    return this.#deps.results.fail(scope, message, 'An operator gave it up.');
  }

  /** The chat's, and then that of all chats; returns what becomes of the attempt where either is too far away. */
  async #waitForTurns(
    scope: OrgScope,
    { perSecond, chatPauseMs, account }: Messenger,
    message: AlertMessage,
    signal: AbortSignal,
  ): Promise<SendOutcome | null> {
    const { days } = this.#deps;
    if (chatPauseMs !== null) {
      const waitMs = await days.reserveChatTurn(scope, message, chatPauseMs, LONGEST_CHAT_TURN_MS);
      if (waitMs === null) return CHAT_CROWDED;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    }
    if (perSecond !== null) {
      const provider = { channel: message.channel, account, perSecond };
      const waitMs = await days.reserveTurn(scope.db, provider, LONGEST_TURN_MS);
      if (waitMs === null) return CROWDED;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    }
    return null;
  }

  async #send(
    messenger: Messenger,
    message: AlertMessage,
    { lastInboundAt }: AlertDestination,
    content: MessageContent,
    signal: AbortSignal,
  ): Promise<SendOutcome> {
    const isWindowOpen =
      lastInboundAt !== null && this.#deps.clock.now().getTime() - lastInboundAt.getTime() < WINDOW_MS;
    const { id, destination } = message;
    return messenger.send({ id, destination, content, isWindowOpen }, signal);
  }

  async #contentOf(scope: OrgScope, message: AlertMessage): Promise<MessageContent | null> {
    const { queue, writer, messages } = this.#deps;
    try {
      if (message.kind === 'alerts') return await writer.write(scope, message);
      return queue.open(await messages.open(scope, message));
    } catch (error) {
      if (isKeyUnavailable(error)) await messages.hold(scope, message.id, KEY_UNAVAILABLE);
      throw error;
    }
  }

  /** Whoever died while it was sent cannot say whether it was taken; some providers can. */
  #unsureMs({ state, startedAt }: AlertMessage, messenger: Messenger): number {
    if (state !== 'sending' || !messenger.tellsLater || startedAt === null) return 0;
    return Math.max(0, startedAt.getTime() + UNSURE_MS - this.#deps.clock.now().getTime());
  }

  /** What a provider has taken and then not delivered is not handed over again at once. */
  #pauseMs({ state, startedAt, providerId, attempts }: AlertMessage): number {
    if (state !== 'pending' || providerId === null || startedAt === null) return 0;
    const pauseMs = Math.max(RETURNED_MS, pauseAfter(attempts));
    return Math.max(0, startedAt.getTime() + pauseMs - this.#deps.clock.now().getTime());
  }

  /** One that has waited for the key is tried once more at least, however old it is by then. */
  #isExpired({ expiresAt, createdAt, reason }: AlertMessage): boolean {
    if (reason === KEY_UNAVAILABLE) return false;
    const now = this.#deps.clock.now().getTime();
    return now > Math.min(expiresAt?.getTime() ?? Infinity, createdAt.getTime() + LONGEST_MS);
  }
}

function isOpen({ state }: AlertMessage): boolean {
  return state === 'pending' || state === 'sending';
}

function over(message: AlertMessage | null): Attempted {
  const { state = 'gone', reason = null, attempts = 0 } = message ?? {};
  return { state: 'over', end: state, reason, attempts };
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { MessageContent } from '../../../adapters/messaging/message-content.ts';
import type { Messenger, SendOutcome } from '../../../adapters/messaging/messenger.ts';
import type { Clock } from '../../../core/clock.ts';
import { KEY_UNAVAILABLE } from '../../../core/encryption/key-retry.ts';
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
import type { AttemptSlot } from './channel-concurrency.ts';
import type { AttemptResult } from './attempt-result.ts';
import type { AlertWriter } from '../alert-writer.ts';
import { computePauseMs, type SendResults } from './send-results.ts';

const HOUR_MS = 3_600_000;
/**
 * Time in milliseconds after a person's last message in which WhatsApp accepts free text. Later, it only
 * accepts templates.
 */
const WINDOW_MS = 24 * HOUR_MS;
/** Maximum age of an alert message, in milliseconds. An older message is no longer sent. */
const MAX_AGE_MS = 72 * HOUR_MS;
/**
 * Maximum wait for the provider's delivery status after a worker died while sending, in milliseconds. By
 * then, a provider that accepted the message has reported a status.
 */
const MAX_STATUS_WAIT_MS = 30_000;

/**
 * Maximum wait for the messaging provider's rate limit, in milliseconds. If the wait would be longer, the
 * workflow retries later.
 */
const MAX_PROVIDER_WAIT_MS = 3000;
/**
 * Minimum pause in milliseconds before the next attempt, if the provider accepted a message and reported its
 * failure later.
 */
const UNDELIVERED_PAUSE_MS = 60_000;
const UNDELIVERED = 'The message was not delivered.';
const MAX_CHAT_WAIT_MS = 1000;
const PROVIDER_BUSY: SendOutcome = {
  kind: 'later',
  reason: 'Many other messages to the provider must be sent first.',
  waitMs: MAX_PROVIDER_WAIT_MS,
  mayBeDelivered: false,
};
const CHAT_BUSY: SendOutcome = {
  ...PROVIDER_BUSY,
  reason: 'Other messages to the chat must be sent first.',
  waitMs: MAX_CHAT_WAIT_MS,
};
const BLOCKED = 'The destination rejects messages.';

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

/**
 * Sends alert messages. Each call may be repeated: an attempt is stored before it starts, and counted once.
 */
export class MessageSender {
  readonly #deps: MessageSenderDeps;

  constructor(deps: MessageSenderDeps) {
    this.#deps = deps;
  }

  /**
   * Attempts to send an alert message to its destination.
   * @throws AppError `key_unavailable` if the key is unavailable; no attempt was made
   */
  async attempt(scope: OrgScope, messageId: string, signal: AbortSignal): Promise<AttemptResult> {
    const { messages, destinations, messengers } = this.#deps;
    const message = await messages.find(scope, messageId);
    if (!message || !isUnfinished(message)) return toFinished(message);
    const messenger = messengers[message.channel];
    const { attempts } = message;
    const statusWaitMs = this.#remainingStatusWaitMs(message, messenger);
    if (statusWaitMs > 0)
      return {
        state: 'again',
        waitMs: statusWaitMs,
        reason: 'The message may have been delivered.',
        attempts,
      };
    const destination = await destinations.find(scope, message);
    if (!destination || this.#isExpired(message))
      return this.#deps.results.fail(scope, message, 'The message could not be sent in time.');
    if (destination.blockedAt && message.kind !== 'code')
      return this.#deps.results.fail(scope, message, destination.blockedReason ?? BLOCKED);
    const pauseMs = this.#remainingPauseMs(message);
    if (pauseMs > 0)
      return { state: 'again', waitMs: pauseMs, reason: message.reason ?? UNDELIVERED, attempts };
    const content = await this.#loadContent(scope, message);
    if (!content) return this.#deps.results.deleteIrrelevant(scope, message);
    if (!(await messages.beginAttempt(scope, message)))
      return toFinished(await messages.find(scope, messageId));
    const started = { ...message, attempts: message.attempts + 1 };
    const busy = await this.#waitForRateLimits(scope, messenger, started, signal);
    const outcome = busy ?? (await this.#sendByMessenger(messenger, started, destination, content, signal));
    return this.#deps.results.record(scope, started, content, outcome);
  }

  /**
   * Returns the channel's slot that an attempt to send the message needs; null if the message is finished.
   */
  async findSlot(scope: OrgScope, messageId: string): Promise<AttemptSlot | null> {
    const { messages, alerts } = this.#deps;
    const message = await messages.find(scope, messageId);
    if (!message || !isUnfinished(message)) return null;
    const { channel, kind } = message;
    return { channel, isUrgent: isAwaited(kind) || (await alerts.hasCritical(scope, messageId)) };
  }

  /** Marks an alert message as failed, so that it is not attempted again. */
  async cancel(scope: OrgScope, messageId: string): Promise<AttemptResult> {
    const message = await this.#deps.messages.find(scope, messageId);
    if (!message || !isUnfinished(message)) return toFinished(message);
    return this.#deps.results.fail(scope, message, 'An operator canceled the message.');
  }

  /**
   * Waits for the rate limits of the chat and of the messaging provider. If a wait would be too long, returns
   * an outcome instead of waiting.
   */
  async #waitForRateLimits(
    scope: OrgScope,
    { perSecond, chatPauseMs, account }: Messenger,
    message: AlertMessage,
    signal: AbortSignal,
  ): Promise<SendOutcome | null> {
    const { days } = this.#deps;
    if (chatPauseMs !== null) {
      const waitMs = await days.reserveChatSlot(scope, message, chatPauseMs, MAX_CHAT_WAIT_MS);
      if (waitMs === null) return CHAT_BUSY;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    }
    if (perSecond !== null) {
      const provider = { channel: message.channel, account, perSecond };
      const waitMs = await days.reserveProviderSlot(scope.db, provider, MAX_PROVIDER_WAIT_MS);
      if (waitMs === null) return PROVIDER_BUSY;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal });
    }
    return null;
  }

  async #sendByMessenger(
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

  async #loadContent(scope: OrgScope, message: AlertMessage): Promise<MessageContent | null> {
    const { queue, writer, messages } = this.#deps;
    try {
      if (message.kind === 'alerts') return await writer.write(scope, message);
      return queue.open(await messages.open(scope, message));
    } catch (error) {
      if (isKeyUnavailable(error)) await messages.markHeld(scope, message.id, KEY_UNAVAILABLE);
      throw error;
    }
  }

  /**
   * Returns how long to wait for the provider's delivery status, in milliseconds, if a worker died while it
   * sent the message.
   */
  #remainingStatusWaitMs({ state, startedAt }: AlertMessage, messenger: Messenger): number {
    if (state !== 'sending' || !messenger.reportsStatus || startedAt === null) return 0;
    return Math.max(0, startedAt.getTime() + MAX_STATUS_WAIT_MS - this.#deps.clock.now().getTime());
  }

  /**
   * Returns the remaining pause before the next attempt, in milliseconds, if the provider accepted the
   * message but reported a failure later.
   */
  #remainingPauseMs({ state, startedAt, providerId, attempts }: AlertMessage): number {
    if (state !== 'pending' || providerId === null || startedAt === null) return 0;
    const pauseMs = Math.max(UNDELIVERED_PAUSE_MS, computePauseMs(attempts));
    return Math.max(0, startedAt.getTime() + pauseMs - this.#deps.clock.now().getTime());
  }

  /**
   * True if the message is too old to be sent. A message that waited for its encryption key is not expired:
   * it gets one more attempt at any age.
   */
  #isExpired({ expiresAt, createdAt, reason }: AlertMessage): boolean {
    if (reason === KEY_UNAVAILABLE) return false;
    const now = this.#deps.clock.now().getTime();
    return now > Math.min(expiresAt?.getTime() ?? Infinity, createdAt.getTime() + MAX_AGE_MS);
  }
}

function isUnfinished({ state }: AlertMessage): boolean {
  return state === 'pending' || state === 'sending';
}

function toFinished(message: AlertMessage | null): AttemptResult {
  const { state = 'gone', reason = null, attempts = 0 } = message ?? {};
  return { state: 'over', end: state, reason, attempts };
}

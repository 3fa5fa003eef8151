import type { MessageContent } from './message-content.ts';

export interface OutgoingMessage {
  /** Parley's id of the message. Some providers return this id in their status reports. */
  id: string;
  destination: string;
  content: MessageContent;
  /**
   * True if the recipient wrote within the last 24 hours. If false, some providers accept only templates, not
   * free text.
   */
  isWindowOpen: boolean;
}

/**
 * Result of one attempt to send a message through a messaging app. The workspace's members see the reasons.
 */
export type SendOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** Parley kept the message, since no provider is configured. A page shows it next to captured emails. */
  | { kind: 'kept' }
  /** The recipient blocks messages, until the owner of the destination opts in again. */
  | { kind: 'blocked'; reason: string }
  /** The message did not reach the recipient, who may not exist. */
  | { kind: 'undeliverable'; reason: string }
  /** The messaging provider refuses this message, and would refuse a retry. */
  | { kind: 'refused'; reason: string }
  /** The messaging provider accepts no free text now, only templates. */
  | { kind: 'window_closed'; reason: string }
  /** The recipient's chat has a new id: `destination`. */
  | { kind: 'moved'; destination: string }
  /**
   * A retry may succeed. `waitMs` is the delay in milliseconds that the provider requests, or null.
   * `mayBeDelivered` is true if the provider may have accepted the message.
   */
  | { kind: 'later'; reason: string; waitMs: number | null; mayBeDelivered: boolean }
  /** The operator's account at the messaging provider is misconfigured. The recipient is not at fault. */
  | { kind: 'misconfigured'; reason: string };

/** Sends messages through a messaging app. */
export interface Messenger {
  /** Rate limit of the messaging provider in messages per second; null for no limit. */
  readonly perSecond: number | null;
  /** Minimum time between two messages to one chat, in milliseconds; null for none. */
  readonly chatPauseMs: number | null;
  /** Id of the account at the messaging provider. All workers share the rate limit of an account. */
  readonly account: string;
  /**
   * True if the provider later reports whether it accepted a message. A message with an unknown result can
   * then wait for this report before a retry.
   */
  readonly reportsStatus: boolean;
  /**
   * Sends a message through the provider. Returns every response of the provider as an outcome, including
   * failures.
   */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}

/** Messenger that keeps messages instead of sending them, in installations without a provider. */
export const capturingMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'kept',
  reportsStatus: false,
  send: async () => ({ kind: 'kept' }),
};

/**
 * Messenger that refuses all messages, in installations without a provider that do not show captured
 * messages.
 */
export const unconfiguredMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'absent',
  reportsStatus: false,
  send: async () => ({
    kind: 'misconfigured',
    reason: 'The messaging app is not set up in this installation.',
  }),
};

import type { MessageContent } from './message-content.ts';

export interface OutgoingMessage {
  /** Our id of the message; some providers echo it in their status reports. */
  id: string;
  destination: string;
  content: MessageContent;
  /** True if the reader wrote within the last 24 hours: some providers accept free text only then. */
  isWindowOpen: boolean;
}

/** Result of one attempt. Reasons are shown to the team. */
export type SendOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** No provider is configured: the message is shown beside the captured mails. */
  | { kind: 'kept' }
  /** The destination accepts nothing until its owner opts in again. */
  | { kind: 'blocked'; reason: string }
  /** The message did not reach the destination, which may not exist. */
  | { kind: 'undeliverable'; reason: string }
  /** The provider will never accept this message. */
  | { kind: 'refused'; reason: string }
  /** The provider accepts no free text at present. */
  | { kind: 'window_closed'; reason: string }
  /** The chat has a new id. */
  | { kind: 'moved'; destination: string }
  /**
   * Retry later. `waitMs` is the delay that the provider requests, or null. `isUnsure` is true if the provider may
   * have accepted the message.
   */
  | { kind: 'later'; reason: string; waitMs: number | null; isUnsure: boolean }
  /** The operator's account is misconfigured; the destination is not at fault. */
  | { kind: 'misconfigured'; reason: string };

/** Sends messages through a messaging app. */
export interface Messenger {
  /** Messages a second that the provider accepts; null for no limit. */
  readonly perSecond: number | null;
  /** Minimum pause between two messages to one chat; null for none. */
  readonly chatPauseMs: number | null;
  /** Id of the provider account; all workers share its rate limit. */
  readonly account: string;
  /**
   * True if the provider reports later whether it accepted a message, so that an unsure one need not be sent again at
   * once.
   */
  readonly reportsStatus: boolean;
  /** Reports everything the provider answers as an outcome. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}

/** Captures messages when no provider is configured. */
export const capturingMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'kept',
  reportsStatus: false,
  send: async () => ({ kind: 'kept' }),
};

/** Refuses messages when no provider is configured and captured messages are not shown. */
export const unconfiguredMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'absent',
  reportsStatus: false,
  send: async () => ({ kind: 'misconfigured', reason: 'The messaging app is not set up here.' }),
};

import type { MessageContent } from './message-content.ts';

export interface OutgoingMessage {
  /** The provider tells of it by this where it can. */
  id: string;
  destination: string;
  content: MessageContent;
  /** Its reader has written within the last 24 hours: some providers take free text only then. */
  isWindowOpen: boolean;
}

/** What a provider said of a message, in words for the team. */
export type SendOutcome =
  | { kind: 'accepted'; providerId: string | null }
  /** No provider is set: it is shown beside the mails. */
  | { kind: 'kept' }
  /** The destination takes nothing until its owner wants that again. */
  | { kind: 'blocked'; reason: string }
  /** It did not reach the destination, which may not exist. */
  | { kind: 'undeliverable'; reason: string }
  /** This message is not taken, whatever is done. */
  | { kind: 'refused'; reason: string }
  /** Free text is not taken now. */
  | { kind: 'window_closed'; reason: string }
  /** The chat has another id from now on. */
  | { kind: 'moved'; destination: string }
  /** @param waitMs as long as the provider says. @param isUnsure it may have been taken */
  | { kind: 'later'; reason: string; waitMs: number | null; isUnsure: boolean }
  /** The installation's account is not in order; no destination is blamed. */
  | { kind: 'misconfigured'; reason: string };

/** Hands messages to a messaging app. */
export interface Messenger {
  /** Messages a second that it takes; null for any number. */
  readonly perSecond: number | null;
  /** Between two messages to one chat; null for none. */
  readonly chatPauseMs: number | null;
  /** Names the account, for what all workers share. */
  readonly account: string;
  /** Whether a message that may have been taken is told of later, so that it need not be sent again at once. */
  readonly tellsLater: boolean;
  /** Whatever the provider says is an outcome. */
  send(message: OutgoingMessage, signal: AbortSignal): Promise<SendOutcome>;
}

/** For where no provider is set. */
export const keptMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'kept',
  tellsLater: false,
  send: async () => ({ kind: 'kept' }),
};

/** For where nobody could see what is kept. */
export const absentMessenger: Messenger = {
  perSecond: null,
  chatPauseMs: null,
  account: 'absent',
  tellsLater: false,
  send: async () => ({ kind: 'misconfigured', reason: 'The messaging app is not set up here.' }),
};

/** A mail as it goes out. */
export interface OutgoingMail {
  /** Message id without angle brackets; stable over retries. */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  date: Date;
  headers: Record<string, string>;
  /** A meeting, which mail programs put into calendars. */
  calendar?: MailedMeeting | undefined;
}

export interface MailedMeeting {
  method: 'REQUEST' | 'CANCEL';
  /** iCalendar. */
  content: string;
}

/**
 * Result of one attempt. `deferred` may succeed later; `refused` never will, and then `isAddressBad` says whether
 * that is because of the address. Reasons name no address and no link.
 */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'deferred'; reason: string }
  | { kind: 'refused'; reason: string; isAddressBad: boolean };

export interface MailTransport {
  /** Never throws for what the mail server or the network did. */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** @throws Error when the mail server cannot be reached, or does not take the credentials */
  verify(): Promise<void>;
}

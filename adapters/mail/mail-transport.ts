export interface OutgoingMail {
  /**
   * Message-ID of the email without angle brackets. All attempts to send the email use the same Message-ID.
   */
  messageId: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  date: Date;
  headers: Record<string, string>;
  /** Meeting attached to the email, which mail clients add to the reader's calendar. */
  calendar?: CalendarAttachment | undefined;
}

export interface CalendarAttachment {
  method: 'REQUEST' | 'CANCEL';
  /** Content of the attached meeting in iCalendar format. */
  content: string;
}

/**
 * Result of one attempt to send an email. A `deferred` email may succeed later, a `refused` email never will.
 * `isAddressBad` is true if the email address itself was refused. Reasons contain no addresses and no links.
 */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'deferred'; reason: string }
  | { kind: 'refused'; reason: string; isAddressBad: boolean };

export interface MailTransport {
  /**
   * Sends an email. Returns failures of the mail server and the network as outcomes; never throws such
   * failures.
   */
  send(mail: OutgoingMail): Promise<MailOutcome>;
  /** @throws Error if the mail server is unreachable or rejects the credentials */
  verify(): Promise<void>;
}

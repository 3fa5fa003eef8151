import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import type { TestSettings } from '../../support/test-settings.ts';

/**
 * Moments at which the mail server holds an email: before it accepts the recipient, before it accepts the
 * email, or before the sender gets the response.
 */
export const mailMoments = ['recipient', 'content', 'taken'] as const;
export type MailMoment = (typeof mailMoments)[number];

/** A fake mail server that holds chosen emails by delaying its responses. */
export class HeldMails {
  readonly mails: ParsedMail[] = [];
  /** Moment at which the mail server holds emails, by recipient. */
  readonly holds = new Map<string, MailMoment>();
  held = 0;
  readonly #server: SMTPServer;

  private constructor() {
    this.#server = new SMTPServer({
      authOptional: true,
      hideSTARTTLS: true,
      closeTimeout: 100,
      onRcptTo: ({ address }, _session, callback) => {
        if (!this.#holdsAt(address, 'recipient')) callback();
      },
      onData: (stream, { envelope }, callback) => {
        void simpleParser(stream).then((mail) => {
          const [to] = envelope.rcptTo;
          if (this.#holdsAt(to!.address, 'content')) return;
          this.mails.push(mail);
          if (!this.#holdsAt(to!.address, 'taken')) callback();
        });
      },
    });
    this.#server.on('error', () => {});
  }

  static async start(): Promise<HeldMails> {
    const server = new HeldMails();
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get env(): TestSettings {
    const { port } = this.#server.server.address() as AddressInfo;
    return { PARLEY_SMTP_URL: `smtp://127.0.0.1:${port}`, PARLEY_SMTP_TLS: 'none' };
  }

  release(): void {
    this.holds.clear();
    this.held = 0;
  }

  /** Returns the sorted Message-IDs of the received emails to this address whose subject matches. */
  findMessageIds(address: string, subject: RegExp): string[] {
    return this.mails
      .filter(
        ({ to, subject: own }) =>
          to && !Array.isArray(to) && to.text.includes(address) && subject.test(own ?? ''),
      )
      .map(({ messageId }) => messageId ?? '')
      .toSorted();
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #holdsAt(address: string, moment: MailMoment): boolean {
    if (this.holds.get(address) !== moment) return false;
    this.held += 1;
    return true;
  }
}

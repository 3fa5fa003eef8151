import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { createTransport } from 'nodemailer';
import type { Settings } from '../../core/settings/settings.ts';
import type { MailOutcome, MailTransport, OutgoingMail } from './mail-transport.ts';
import { classifySmtpFailure, type SmtpError } from './smtp-outcome.ts';

const SUBMISSION_PORT = 587;
const SMTPS_PORT = 465;
/**
 * Matches an email address without the characters that parsers of address lists interpret; valid addresses contain
 * none.
 */
const ADDRESS = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/;

export type SmtpSettings = Pick<Settings, 'smtpTls' | 'smtpCaFile' | 'smtpTimeoutMs' | 'mailFrom'> & {
  smtpUrl: string;
};

/**
 * Sends emails by SMTP with TLS: immediate for `smtps:`, STARTTLS for `smtp:`. Checks the mail server's
 * certificate.
 */
export class SmtpTransport implements MailTransport {
  readonly #settings: SmtpSettings;
  readonly #ca: string[] | undefined;

  /** @throws Error if the certificate file cannot be read */
  constructor(settings: SmtpSettings) {
    this.#settings = settings;
    const { smtpCaFile } = settings;
    if (smtpCaFile !== undefined) this.#ca = [...rootCertificates, readFileSync(smtpCaFile, 'utf8')];
  }

  async send({ to, messageId, calendar, ...mail }: OutgoingMail): Promise<MailOutcome> {
    if (!ADDRESS.test(to)) return classifySmtpFailure({ message: '', code: 'EENVELOPE', command: 'API' });
    const transporter = this.#connect();
    try {
      await this.#withTimeout(
        transporter.sendMail({
          ...mail,
          from: this.#settings.mailFrom,
          to: { name: '', address: to },
          messageId: `<${messageId}>`,
          ...(calendar && { icalEvent: { ...calendar, filename: 'meeting.ics' } }),
          disableFileAccess: true,
          disableUrlAccess: true,
        }),
      );
      return { kind: 'sent' };
    } catch (error) {
      return classifySmtpFailure(error as SmtpError);
    } finally {
      transporter.close();
    }
  }

  async verify(): Promise<void> {
    const transporter = this.#connect();
    try {
      await this.#withTimeout(transporter.verify());
    } finally {
      transporter.close();
    }
  }

  #connect() {
    const { smtpUrl, smtpTls, smtpTimeoutMs: timeoutMs } = this.#settings;
    const { protocol, hostname, port, username, password } = new URL(smtpUrl);
    const secure = protocol === 'smtps:';
    const host = hostname.replace(/^\[|\]$/g, '');
    return createTransport({
      host,
      port: port === '' ? (secure ? SMTPS_PORT : SUBMISSION_PORT) : Number(port),
      secure,
      requireTLS: !secure && smtpTls === 'required',
      ignoreTLS: !secure && smtpTls === 'none',
      ...(username !== '' && {
        auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
      }),
      tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(this.#ca && { ca: this.#ca }) },
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
    });
  }

  /**
   * Limits the duration of a whole attempt to send an email. Each step has a timeout, but a server that sends
   * a little at a time never exceeds such a timeout.
   */
  async #withTimeout<T>(work: Promise<T>): Promise<T> {
    const { smtpTimeoutMs } = this.#settings;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('The mail server took too long.')), 2 * smtpTimeoutMs);
    });
    try {
      return await Promise.race([work, timeout]);
    } finally {
      clearTimeout(timer);
    }
  }
}

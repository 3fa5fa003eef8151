import { abridge, cutText } from '../../core/text/cut-text.ts';
import { toStorableText } from '../../core/text/storable-text.ts';
import { removeAddresses } from '../../core/text/without-addresses.ts';
import type { MailOutcome } from './mail-transport.ts';

/** Failure to send an email, in the format of the library nodemailer. */
export interface SmtpError {
  message: string;
  code?: string | undefined;
  /** SMTP command to which the mail server responded with the failure. */
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
}

const MAIL_COMMANDS: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/**
 * Mail server replies that ask for credentials or TLS (RFC 4954, 6; RFC 3207): faults of the installation's
 * settings, not of the email.
 */
const CONFIGURATION_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);
const MAX_REASON_LENGTH = 300;
/**
 * Maximum number of characters that are read of a mail server's reply. Longer replies are cut before email
 * addresses and links are removed from them.
 */
const MAX_READ_LENGTH = 4000;

/**
 * Classifies a failed attempt to send an email. Only a 5yz reply to the email itself is final (RFC 5321,
 * 4.2.1). Other failures may pass or can be corrected: network, certificates, credentials, 4yz replies.
 */
export function classifySmtpFailure(error: SmtpError): MailOutcome {
  const { command = '', response = '', responseCode = 0 } = error;
  const reason = redactReason(response === '' ? error.message : `The mail server answered: ${response}`);
  const isAboutMail = MAIL_COMMANDS.has(command) && !CONFIGURATION_REPLIES.has(responseCode);
  if (error.code === 'EENVELOPE' && command === 'API')
    return { kind: 'refused', reason: 'Email cannot be sent to this kind of address.', isAddressBad: true };
  if (!isAboutMail || responseCode < 500 || responseCode > 599) return { kind: 'deferred', reason };
  return { kind: 'refused', reason, isAddressBad: isAddressBad(command, response) };
}

/**
 * Returns whether a mail server refuses the email because of its address. The enhanced status code (RFC 3463)
 * distinguishes a missing mailbox from a full mailbox and from a policy.
 */
function isAddressBad(command: string, response: string): boolean {
  const [, status] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (status === undefined) return command === 'RCPT TO';
  return (
    /^5\.1\.[0-6]$|^5\.1\.10$|^5\.2\.[01]$/.test(status) || (command === 'RCPT TO' && status === '5.0.0')
  );
}

/**
 * Removes email addresses, which mail servers repeat, and links, which spam filters quote, from a server's
 * reply.
 */
function redactReason(text: string): string {
  const storable = toStorableText(cutText(text, MAX_READ_LENGTH));
  const clean = removeAddresses(storable.replace(/\bhttps?:\S+/gi, '…'))
    .replace(/\s+/g, ' ')
    .trim();
  return abridge(clean, MAX_REASON_LENGTH);
}

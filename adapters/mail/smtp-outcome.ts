import { withoutAddresses } from '../../core/text/without-addresses.ts';
import type { MailOutcome } from './mail-transport.ts';

/** Failure as nodemailer reports it. */
export interface SmtpError {
  message: string;
  code?: string | undefined;
  /** The command that the server answered. */
  command?: string | undefined;
  response?: string | undefined;
  responseCode?: number | undefined;
}

const ABOUT_THE_MAIL: ReadonlySet<string> = new Set(['MAIL FROM', 'RCPT TO', 'DATA']);
/** Replies that ask for credentials or TLS (RFC 4954, 6; RFC 3207): ours to put right, whatever the mail. */
const ABOUT_US: ReadonlySet<number> = new Set([530, 534, 535, 538]);
const REASON_LENGTH = 300;

/**
 * Classifies a failure. Only a 5yz reply to the mail itself is final (RFC 5321, 4.2.1). Everything else may pass or be put right: networks,
 * certificates, credentials, 4yz replies.
 */
export function outcomeOfFailure(error: SmtpError): MailOutcome {
  const { command = '', response = '', responseCode = 0 } = error;
  const reason = withoutSecrets(response === '' ? error.message : `The mail server answered: ${response}`);
  const isAboutMail = ABOUT_THE_MAIL.has(command) && !ABOUT_US.has(responseCode);
  if (error.code === 'EENVELOPE' && command === 'API')
    return { kind: 'refused', reason: 'No mail can be sent to such an address.', isAddressBad: true };
  if (!isAboutMail || responseCode < 500 || responseCode > 599) return { kind: 'deferred', reason };
  return { kind: 'refused', reason, isAddressBad: isAddressBad(command, response) };
}

/** Enhanced status codes (RFC 3463) tell an address without a mailbox from a full one, and from a policy. */
function isAddressBad(command: string, response: string): boolean {
  const [, status] = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? [];
  if (status === undefined) return command === 'RCPT TO';
  return (
    /^5\.1\.[0-6]$|^5\.1\.10$|^5\.2\.[01]$/.test(status) || (command === 'RCPT TO' && status === '5.0.0')
  );
}

/** Servers repeat addresses, and filters the links that they do not like. */
function withoutSecrets(text: string): string {
  const clean = withoutAddresses(text.replace(/\bhttps?:\S+/gi, '…'))
    .replace(/\s+/g, ' ')
    .trim();
  return clean.length > REASON_LENGTH ? `${clean.slice(0, REASON_LENGTH - 1)}…` : clean;
}

import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { CalendarAttachment } from '../../adapters/mail/mail-transport.ts';
import type { MailValues } from './rendering/mail-values.ts';

/** Parts of a queued email that are stored encrypted. */
export interface MailContent {
  to: string;
  values: MailValues;
  secretDigest?: string | undefined;
  calendar?: CalendarAttachment | undefined;
}

export function sealMail(keyring: Keyring, mailId: string, content: MailContent): string {
  return keyring.seal(JSON.stringify(content), mailSealContext(mailId));
}

/** @throws UndecryptableValue if the email was encrypted with another key */
export function decryptMail(keyring: Keyring, mailId: string, sealed: string): MailContent {
  return JSON.parse(keyring.open(sealed, mailSealContext(mailId))) as MailContent;
}

function mailSealContext(mailId: string): string {
  return `mails.content:${mailId}`;
}

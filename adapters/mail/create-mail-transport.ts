import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import type { MailTransport } from './mail-transport.ts';
import { SmtpTransport } from './smtp-transport.ts';

/**
 * Undefined when no mail server is set: then mails are kept and shown at /dev/mail.
 * @throws SettingsError when the file of certificates cannot be read
 */
export function createMailTransport({ smtpUrl, ...settings }: Settings): MailTransport | undefined {
  if (smtpUrl === undefined) return undefined;
  try {
    return new SmtpTransport({ ...settings, smtpUrl });
  } catch (error) {
    throw new SettingsError([`PARLEY_SMTP_CA_FILE cannot be read: ${(error as Error).message}.`]);
  }
}

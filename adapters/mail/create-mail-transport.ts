import { SettingsError, type Settings } from '../../core/settings/settings.ts';
import type { MailTransport } from './mail-transport.ts';
import { SmtpTransport } from './smtp-transport.ts';

/**
 * Creates the mail transport. Returns undefined if the settings name no mail server; emails are then captured
 * and shown at /dev/mail.
 * @throws SettingsError if the certificate file cannot be read
 */
export function createMailTransport({ smtpUrl, ...settings }: Settings): MailTransport | undefined {
  if (smtpUrl === undefined) return undefined;
  try {
    return new SmtpTransport({ ...settings, smtpUrl });
  } catch (error) {
    throw new SettingsError([`PARLEY_SMTP_CA_FILE cannot be read: ${(error as Error).message}.`]);
  }
}

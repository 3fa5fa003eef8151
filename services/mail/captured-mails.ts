import type { Keyring } from '../../adapters/keys/keyring.ts';
import type { OutgoingMail } from '../../adapters/mail/mail-transport.ts';
import { isKeyUnavailable } from '../../core/errors/errors.ts';
import { UndecryptableValue } from '../../core/errors/undecryptable-value.ts';
import { newId } from '../../core/ids.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Database } from '../../database/database.ts';
import type { MailRow } from '../../entities/mail/mail.entity.ts';
import type { MailRepository } from '../../repositories/mail/mail.repository.ts';
import { composeMail, type ComposeDeps } from './rendering/compose-mail.ts';
import type { EmailPreferencesService } from './email-preferences-service.ts';
import { decryptMail } from './mail-content.ts';
import { mailSamples } from './rendering/mail-samples.ts';
import type { MailTemplate } from './rendering/mail-templates.ts';
import { toMailValues } from './rendering/mail-values.ts';

const MAX_LISTED = 100;

export interface CapturedMailsDeps extends ComposeDeps {
  mails: MailRepository;
  preferences: EmailPreferencesService;
  keyring: Keyring;
  settings: Pick<Settings, 'baseUrl' | 'mailFrom'>;
}

export interface CapturedMail extends OutgoingMail {
  id: string;
}

/**
 * Shows emails that were captured because no mail server is configured, and previews of the email templates.
 */
export class CapturedMails {
  readonly #deps: CapturedMailsDeps;

  constructor(deps: CapturedMailsDeps) {
    this.#deps = deps;
  }

  /** Lists captured emails, newest first, without those that cannot be decrypted. */
  async list(db: Database): Promise<CapturedMail[]> {
    const rows = await this.#deps.mails.listCaptured(db, MAX_LISTED);
    const composed = await Promise.all(rows.map((row) => this.#compose(db, row)));
    return composed.filter((mail) => mail !== null);
  }

  async find(db: Database, id: string): Promise<CapturedMail | null> {
    const row = await this.#deps.mails.find(db, id);
    return row?.state === 'kept' ? this.#compose(db, row) : null;
  }

  preview(template: MailTemplate): OutgoingMail {
    const row = { id: newId(), userId: newId(), template, createdAt: new Date() };
    const values = toMailValues(mailSamples[template]);
    return composeMail(row, { to: 'ada@example.com', values }, this.#deps);
  }

  async #compose(db: Database, row: MailRow): Promise<CapturedMail | null> {
    const { mails, keyring } = this.#deps;
    try {
      const { content } = await mails.open(db, row);
      return { id: row.id, ...composeMail(row, decryptMail(keyring, row.id, content ?? ''), this.#deps) };
    } catch (error) {
      if (error instanceof UndecryptableValue || isKeyUnavailable(error)) return null;
      throw error;
    }
  }
}

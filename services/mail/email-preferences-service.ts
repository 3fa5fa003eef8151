import type { Keyring } from '../../adapters/keys/keyring.ts';
import { notFound } from '../../core/errors/errors.ts';
import type { Database } from '../../database/database.ts';
import type { EmailPreferenceRepository } from '../../repositories/mail/email-preference.repository.ts';
import { mailCategories, type MailCategory } from './rendering/mail-templates.ts';

export type EmailPreferences = Record<MailCategory, boolean>;

const categories = Object.keys(mailCategories) as MailCategory[];

interface UnsubscribeToken {
  userId: string;
  category: MailCategory;
}

/** What people are sent. Security and billing mail is no category: nobody can turn it off. */
export class EmailPreferencesService {
  readonly #preferences: EmailPreferenceRepository;
  readonly #keyring: Keyring;

  constructor({ preferences, keyring }: { preferences: EmailPreferenceRepository; keyring: Keyring }) {
    this.#preferences = preferences;
    this.#keyring = keyring;
  }

  async get(db: Database, userId: string): Promise<EmailPreferences> {
    const turnedOff = await this.#preferences.listTurnedOff(db, userId);
    return Object.fromEntries(
      categories.map((category) => [category, !turnedOff.includes(category)]),
    ) as EmailPreferences;
  }

  /** Categories that are not named stay as they are. */
  async update(db: Database, userId: string, changes: Partial<EmailPreferences>): Promise<EmailPreferences> {
    const named = (isOn: boolean) => categories.filter((category) => changes[category] === isOn);
    await this.#preferences.update(db, userId, { on: named(true), off: named(false) });
    return this.get(db, userId);
  }

  async isWanted(db: Database, userId: string, category: MailCategory): Promise<boolean> {
    return !(await this.#preferences.listTurnedOff(db, userId)).includes(category);
  }

  /** It never expires, as mails do not. */
  unsubscribeToken(token: UnsubscribeToken): string {
    return this.#keyring.sign('unsubscribe', token);
  }

  /** The category that the token is for. @throws AppError `not_found` for a token that we did not make */
  categoryOf(token: string): MailCategory {
    return this.#read(token).category;
  }

  /** May come any number of times. @throws AppError `not_found` for a token that we did not make */
  async unsubscribe(db: Database, token: string): Promise<MailCategory> {
    const { userId, category } = this.#read(token);
    await this.#preferences.update(db, userId, { on: [], off: [category] });
    return category;
  }

  #read(token: string): UnsubscribeToken {
    const read = this.#keyring.verify<UnsubscribeToken>('unsubscribe', token);
    if (!read || !Object.hasOwn(mailCategories, read.category)) throw notFound('unsubscribe link');
    return read;
  }
}

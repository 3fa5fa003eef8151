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

/**
 * Manages which categories of email users receive. Security and billing email belongs to no category, so
 * users cannot turn it off.
 */
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

  /** Turns the given categories of a user's email on or off; other categories stay unchanged. */
  async update(db: Database, userId: string, changes: Partial<EmailPreferences>): Promise<EmailPreferences> {
    const listCategories = (isOn: boolean) => categories.filter((category) => changes[category] === isOn);
    await this.#preferences.update(db, userId, { on: listCategories(true), off: listCategories(false) });
    return this.get(db, userId);
  }

  async isTurnedOn(db: Database, userId: string, category: MailCategory): Promise<boolean> {
    return !(await this.#preferences.listTurnedOff(db, userId)).includes(category);
  }

  /**
   * Signs an unsubscribe token. The token never expires, since the email with the token does not expire
   * either.
   */
  signUnsubscribeToken(token: UnsubscribeToken): string {
    return this.#keyring.sign('unsubscribe', token);
  }

  /**
   * Returns the category of email that an unsubscribe token names.
   * @throws AppError `not_found` for an invalid token
   */
  readCategory(token: string): MailCategory {
    return this.#verifyToken(token).category;
  }

  /**
   * Turns off the category of email that an unsubscribe token names for the token's user, and returns this
   * category.
   * @throws AppError `not_found` for an invalid token
   */
  async unsubscribe(db: Database, token: string): Promise<MailCategory> {
    const { userId, category } = this.#verifyToken(token);
    await this.#preferences.update(db, userId, { on: [], off: [category] });
    return category;
  }

  #verifyToken(token: string): UnsubscribeToken {
    const payload = this.#keyring.verify<UnsubscribeToken>('unsubscribe', token);
    if (!payload || !Object.hasOwn(mailCategories, payload.category)) throw notFound('unsubscribe link');
    return payload;
  }
}

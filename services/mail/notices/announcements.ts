import { chooseLanguage, type Language } from '../../../core/languages.ts';
import type { Database } from '../../../database/database.ts';
import type { AnnouncementRepository } from '../../../repositories/mail/announcement.repository.ts';
import type { NewsReader } from '../../../repositories/mail/announcement.sql.ts';
import type { MailService } from '../mail-service.ts';
import type { RefusedAddresses } from '../senders/refused-addresses.ts';
import { newsWords } from './news-words.ts';

/** Text of an announcement in one language. */
export interface News {
  subject: string;
  /** Body of the email in Markdown. */
  body: string;
}

export interface Announcement {
  /** Unique name of the announcement. Each recipient gets one email for each name. */
  name: string;
  /** Original text of the announcement, for readers whose language has no translation. */
  news: News;
  translations: Partial<Record<Language, News>>;
}

/** Recipient of an announcement; `language` is null if they get the original text. */
export interface Addressee {
  email: string;
  language: Language | null;
}

export interface AnnouncementsDeps {
  announcements: AnnouncementRepository;
  refused: Pick<RefusedAddresses, 'excludeRefused'>;
  mail: MailService;
}

const BATCH = 100;

/** Sends product news by email to all users who have not turned off this category. */
export class Announcements {
  readonly #deps: AnnouncementsDeps;

  constructor(deps: AnnouncementsDeps) {
    this.#deps = deps;
  }

  /** Lists the users who have not received the announcement, in batches. */
  async *listAddressees(database: Database, announcement: Announcement): AsyncGenerator<Addressee[]> {
    const { announcements, refused } = this.#deps;
    for (let after: string | null = null; ;) {
      const readers: NewsReader[] = await announcements.listReaders(database, announcement.name, {
        after,
        limit: BATCH,
      });
      const recipients = await refused.excludeRefused(database, readers);
      if (recipients.length > 0) yield recipients.map((reader) => toAddressee(reader, announcement));
      after = readers.at(-1)?.userId ?? null;
      if (readers.length < BATCH) return;
    }
  }

  /**
   * Queues the announcement for a batch of users who have not received it. Repeated and concurrent calls
   * queue one email for each user. Returns null once all users have the email.
   */
  sendBatch(database: Database, announcement: Announcement): Promise<Addressee[] | null> {
    const { announcements, refused } = this.#deps;
    return database.transaction(async (db) => {
      const readers = await announcements.claimReaders(db, announcement.name, BATCH);
      if (readers.length === 0) return null;
      const recipients = await refused.excludeRefused(db, readers);
      for (const reader of recipients) await this.#sendAnnouncement(db, announcement, reader);
      return recipients.map((reader) => toAddressee(reader, announcement));
    });
  }

  async #sendAnnouncement(db: Database, announcement: Announcement, reader: NewsReader): Promise<void> {
    const { language } = toAddressee(reader, announcement);
    const { subject, body } = (language && announcement.translations[language]) ?? announcement.news;
    const words = newsWords[language ?? 'en'];
    await this.#deps.mail.send(db, {
      to: reader.email,
      userId: reader.userId,
      template: 'announcement',
      key: `announcement/${announcement.name}/${reader.userId}`,
      data: { language: language ?? 'en', subject, markdown: body, ...words },
    });
  }
}

/**
 * Chooses the translation of the announcement for a user. `language` is null if the announcement has no
 * translation into the user's language.
 */
function toAddressee({ email, language }: NewsReader, { translations }: Announcement): Addressee {
  const supported = chooseLanguage([language ?? '']);
  const isSupported = language !== null && (supported !== 'en' || /^en\b/i.test(language));
  return { email, language: isSupported && translations[supported] ? supported : null };
}

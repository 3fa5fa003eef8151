import { languageFor, type Language } from '../../../core/languages.ts';
import type { Database } from '../../../database/database.ts';
import type { AnnouncementRepository } from '../../../repositories/mail/announcement.repository.ts';
import type { NewsReader } from '../../../repositories/mail/announcement.sql.ts';
import type { MailService } from '../mail-service.ts';
import type { RefusedAddresses } from '../senders/refused-addresses.ts';
import { newsWords } from './news-words.ts';

/** A piece of news in one language. */
export interface News {
  subject: string;
  /** Markdown. */
  body: string;
}

export interface Announcement {
  /** By which it is known whom it was sent to. */
  name: string;
  /** For everybody whose language is not among the others. */
  news: News;
  translations: Partial<Record<Language, News>>;
}

/** Somebody it is for, in a language that there is. */
export interface Addressee {
  email: string;
  language: Language | null;
}

export interface AnnouncementsDeps {
  announcements: AnnouncementRepository;
  refused: Pick<RefusedAddresses, 'without'>;
  mail: MailService;
}

const BATCH = 100;

/** Mails news about the product to everybody who has not turned that off. */
export class Announcements {
  readonly #deps: AnnouncementsDeps;

  constructor(deps: AnnouncementsDeps) {
    this.#deps = deps;
  }

  /** Whom it is for and was not sent to yet, batch by batch. */
  async *listAddressees(database: Database, announcement: Announcement): AsyncGenerator<Addressee[]> {
    const { announcements, refused } = this.#deps;
    for (let after: string | null = null; ;) {
      const readers: NewsReader[] = await announcements.listReaders(database, announcement.name, {
        after,
        limit: BATCH,
      });
      const willing = await refused.without(database, readers);
      if (willing.length > 0) yield willing.map((reader) => addresseeOf(reader, announcement));
      after = readers.at(-1)?.userId ?? null;
      if (readers.length < BATCH) return;
    }
  }

  /**
   * Queues it for some of those to whom it was not sent yet: once for each, however often and by how many it is done. Null once there is
   * nobody left.
   */
  sendBatch(database: Database, announcement: Announcement): Promise<Addressee[] | null> {
    const { announcements, refused } = this.#deps;
    return database.transaction(async (db) => {
      const readers = await announcements.claimReaders(db, announcement.name, BATCH);
      if (readers.length === 0) return null;
      const willing = await refused.without(db, readers);
      for (const reader of willing) await this.#send(db, announcement, reader);
      return willing.map((reader) => addresseeOf(reader, announcement));
    });
  }

  async #send(db: Database, announcement: Announcement, reader: NewsReader): Promise<void> {
    const { language } = addresseeOf(reader, announcement);
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

/** Null for who gets it as it was written first. */
function addresseeOf({ email, language }: NewsReader, { translations }: Announcement): Addressee {
  const known = languageFor([language ?? '']);
  const isKnown = language !== null && (known !== 'en' || /^en\b/i.test(language));
  return { email, language: isKnown && translations[known] ? known : null };
}

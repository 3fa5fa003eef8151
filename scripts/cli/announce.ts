import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { languages, type Language } from '../../core/languages.ts';
import { createLogger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Addressee, Announcement, News } from '../../services/mail/notices/announcements.ts';
import { openRuntime } from '../../services/runtime.ts';
import { LaunchError, reasonOf } from '../launcher/launch-error.ts';

export interface AnnounceOptions {
  /** Paths of `news.md` and its translations, such as `news.de.md`. */
  files: string[];
  /** Default: the file name without its extension. */
  name?: string | undefined;
  /** List the recipients instead of sending. */
  isDryRun: boolean;
}

const LONGEST_SUBJECT = 200;
const LONGEST_BODY = 50_000;
const LONGEST_NAME = 100;

/**
 * Mails an announcement once to every user who has not unsubscribed from such mail.
 * @throws LaunchError if a file is missing or invalid
 */
export async function announce(
  settings: Settings,
  { isDryRun, ...options }: AnnounceOptions,
  say: (line: string) => void,
): Promise<void> {
  const announcement = announcementOf(options);
  const runtime = await openRuntime({ settings, log: createLogger('cli', 'silent') });
  try {
    const { announcements } = runtime.services.mail;
    let count = 0;
    const tell = (addressees: Addressee[]) => {
      for (const { email, language } of addressees)
        say(language === null ? email : `${email}  (${language})`);
      count += addressees.length;
    };
    if (isDryRun)
      for await (const batch of announcements.listAddressees(runtime.database, announcement)) tell(batch);
    else
      for (let sent: Addressee[] | null = []; sent !== null;) {
        tell(sent);
        sent = await announcements.sendBatch(runtime.database, announcement);
      }
    say(summaryOf(count, announcement, isDryRun));
  } finally {
    await runtime.close();
  }
}

function announcementOf({ files, name }: Omit<AnnounceOptions, 'isDryRun'>): Announcement {
  const byLanguage = new Map(files.map((file) => [languageOf(file), file]));
  const first = byLanguage.get(null);
  if (first === undefined || byLanguage.size < files.length)
    throw new LaunchError(
      `Give one file for all readers, such as news.md, and one for each language besides: news.de.md (${languages.join(', ')}).`,
    );
  const called = (name ?? basename(first).replace(/\.\w+$/, '')).trim();
  if (called === '' || called.length > LONGEST_NAME)
    throw new LaunchError(`A name has 1 to ${LONGEST_NAME} characters.`);
  const translations = [...byLanguage].flatMap(([language, file]) =>
    language === null ? [] : [[language, newsOf(file)] as const],
  );
  return { name: called, news: newsOf(first), translations: Object.fromEntries(translations) };
}

function languageOf(file: string): Language | null {
  const [, suffix] = /\.([a-z]{2})\.\w+$/.exec(basename(file)) ?? [];
  return languages.find((language) => language === suffix) ?? null;
}

/** Reads an announcement. The first line is the subject, with or without the marks of a heading. */
function newsOf(file: string): News {
  let text: string;
  try {
    text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      .trim();
  } catch (error) {
    throw new LaunchError(`${file} cannot be read: ${reasonOf(error)}`);
  }
  const [line = '', ...rest] = text.split('\n');
  const [subject, body] = [line.replace(/^#+\s*/, '').trim(), rest.join('\n').trim()];
  if (subject === '' || body === '')
    throw new LaunchError(`${file} needs a subject in its first line, and a text in Markdown after it.`);
  if (subject.length > LONGEST_SUBJECT || body.length > LONGEST_BODY)
    throw new LaunchError(
      `${file}: a subject has at most ${LONGEST_SUBJECT} characters, and a text ${LONGEST_BODY}.`,
    );
  return { subject, body };
}

function summaryOf(count: number, { name }: Announcement, isDryRun: boolean): string {
  if (count === 0) return `“${name}” has already been sent to all recipients.`;
  const readers = count === 1 ? '1 reader' : `${count} readers`;
  return isDryRun ? `“${name}” would be sent to ${readers}.` : `“${name}” is queued for ${readers}.`;
}

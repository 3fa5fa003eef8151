import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { languages, type Language } from '../../core/languages.ts';
import { createLogger } from '../../core/logger.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { Addressee, Announcement, News } from '../../services/mail/notices/announcements.ts';
import { openRuntime } from '../../services/runtime.ts';
import { LaunchError, findReason } from '../launcher/launch-error.ts';

export interface AnnounceOptions {
  /** Paths of the announcement and its translations, such as `news.md` and `news.de.md`. */
  files: string[];
  /** Name that identifies the announcement. Default: the file name without its extension. */
  name?: string | undefined;
  /** True to list the recipients without sending emails. */
  isDryRun: boolean;
}

const MAX_SUBJECT_LENGTH = 200;
const MAX_BODY_LENGTH = 50_000;
const MAX_NAME_LENGTH = 100;

/**
 * Emails an announcement once to every user who has not unsubscribed from such email.
 * @throws LaunchError if a file is missing or invalid
 */
export async function announce(
  settings: Settings,
  { isDryRun, ...options }: AnnounceOptions,
  report: (line: string) => void,
): Promise<void> {
  const announcement = readAnnouncement(options);
  const runtime = await openRuntime({ settings, log: createLogger('cli', 'silent') });
  try {
    const { announcements } = runtime.services.mail;
    let count = 0;
    const reportBatch = (addressees: Addressee[]) => {
      for (const { email, language } of addressees)
        report(language === null ? email : `${email}  (${language})`);
      count += addressees.length;
    };
    if (isDryRun)
      for await (const batch of announcements.listAddressees(runtime.database, announcement))
        reportBatch(batch);
    else
      for (let sent: Addressee[] | null = []; sent !== null;) {
        reportBatch(sent);
        sent = await announcements.sendBatch(runtime.database, announcement);
      }
    report(describeAnnouncement(count, announcement, isDryRun));
  } finally {
    await runtime.close();
  }
}

function readAnnouncement({ files, name }: Omit<AnnounceOptions, 'isDryRun'>): Announcement {
  const byLanguage = new Map(files.map((file) => [readLanguageSuffix(file), file]));
  const first = byLanguage.get(null);
  if (first === undefined || byLanguage.size < files.length)
    throw new LaunchError(
      `Specify one file for all recipients, such as news.md, and optionally one file for each language: news.de.md (${languages.join(', ')}).`,
    );
  const announcementName = (name ?? basename(first).replace(/\.\w+$/, '')).trim();
  if (announcementName === '' || announcementName.length > MAX_NAME_LENGTH)
    throw new LaunchError(`A name has 1 to ${MAX_NAME_LENGTH} characters.`);
  const translations = [...byLanguage].flatMap(([language, file]) =>
    language === null ? [] : [[language, readNews(file)] as const],
  );
  return { name: announcementName, news: readNews(first), translations: Object.fromEntries(translations) };
}

function readLanguageSuffix(file: string): Language | null {
  const [, suffix] = /\.([a-z]{2})\.\w+$/.exec(basename(file)) ?? [];
  return languages.find((language) => language === suffix) ?? null;
}

/** Reads an announcement from a file. The file's first line is the subject; a leading `#` is ignored. */
function readNews(file: string): News {
  let text: string;
  try {
    text = readFileSync(file, 'utf8')
      .replace(/^\uFEFF/, '')
      .replace(/\r\n?/g, '\n')
      .trim();
  } catch (error) {
    throw new LaunchError(`${file} cannot be read: ${findReason(error)}`);
  }
  const [line = '', ...rest] = text.split('\n');
  const [subject, body] = [line.replace(/^#+\s*/, '').trim(), rest.join('\n').trim()];
  if (subject === '' || body === '')
    throw new LaunchError(`${file} needs a subject in its first line, followed by text in Markdown.`);
  if (subject.length > MAX_SUBJECT_LENGTH || body.length > MAX_BODY_LENGTH)
    throw new LaunchError(
      `${file}: a subject has at most ${MAX_SUBJECT_LENGTH} characters, and a text at most ${MAX_BODY_LENGTH}.`,
    );
  return { subject, body };
}

function describeAnnouncement(count: number, { name }: Announcement, isDryRun: boolean): string {
  if (count === 0) return `“${name}” has already been sent to all recipients.`;
  const readers = count === 1 ? '1 reader' : `${count} readers`;
  return isDryRun ? `“${name}” would be sent to ${readers}.` : `“${name}” is queued for ${readers}.`;
}

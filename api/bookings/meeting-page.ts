import type Koa from 'koa';
import { formatMeetingTime } from '../../core/bookings/meeting-time.ts';
import { AppError } from '../../core/errors/errors.ts';
import { chooseLanguage, type Language } from '../../core/languages.ts';
import { escapeHtml } from '../../core/text/escape-html.ts';
import type { Database } from '../../database/database.ts';
import type {
  AttendeeMeeting,
  AttendeeMeetings,
} from '../../services/bookings/attendees/attendee-meetings.ts';
import { attendeeWords } from '../../services/bookings/attendees/attendee-words.ts';
import { formPolicy, renderPage } from '../../web/page.ts';

const FOLDER = '/meetings/';
const FILE = 'meeting.ics';
export interface MeetingPageDeps {
  meetings: AttendeeMeetings;
  database: Database;
}

/**
 * Serves a meeting under the secret link in emails to attendees: as a page, an iCalendar file, or JSON for
 * the widget. The link is the only credential. Opening the link cancels nothing, since email filters follow
 * links; only the button cancels. Returns whether the request was for a meeting.
 * @throws AppError `not_found` for an invalid link or a deleted meeting
 */
export function createMeetingPage({ meetings, database }: MeetingPageDeps) {
  return async (koa: Koa.Context): Promise<boolean> => {
    if (!koa.path.startsWith(FOLDER)) return false;
    const isCancellation = koa.method === 'POST';
    if (!isCancellation && koa.method !== 'GET' && koa.method !== 'HEAD') return false;
    const [, token = '', file] =
      /^([\w.-]+?)(\/meeting\.ics|\.ics)?$/.exec(koa.path.slice(FOLDER.length)) ?? [];
    koa.set('Cache-Control', 'no-store');
    koa.set('X-Robots-Tag', 'noindex');
    if (file !== undefined) {
      if (isCancellation) return false;
      sendFile(koa, await meetings.getCalendarFile(database, token));
      return true;
    }
    koa.vary('Accept');
    if (koa.accepts('html', 'json') === 'json') {
      // Permits any origin, since the widget runs on customers' pages. Without the secret link, callers learn
      // nothing about the meeting.
      koa.set('Access-Control-Allow-Origin', '*');
      if (isCancellation) await cancelMeeting(token);
      koa.body = presentState(await meetings.get(database, token));
      return true;
    }
    if (isCancellation) {
      await cancelMeeting(token);
      koa.status = 303;
      koa.redirect(`${FOLDER}${token}`);
      return true;
    }
    koa.vary('Accept-Language');
    koa.set('Content-Security-Policy', formPolicy);
    const meeting = await meetings.get(database, token, readerLanguage(koa));
    koa.type = 'text/html; charset=utf-8';
    koa.body = renderMeetingPage(meeting, token);
    return true;
  };

  /**
   * Cancels the meeting. Ignores the refusal if the meeting has already started, since the page shows the
   * meeting's state.
   */
  async function cancelMeeting(token: string): Promise<void> {
    try {
      await meetings.cancel(database, token);
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'conflict')) throw error;
    }
  }
}

/** Returns the state of the meeting as JSON for the widget. */
function presentState({ state, start, end }: AttendeeMeeting) {
  const status = state === 'cancelled' ? 'cancelled' : 'confirmed';
  return { status, start: start.toISOString(), end: end.toISOString() };
}

/** Returns the language that the browser prefers; undefined if the browser sends no language. */
function readerLanguage(koa: Koa.Context): Language | undefined {
  const acceptLanguage = koa.get('accept-language');
  return acceptLanguage === '' ? undefined : chooseLanguage(acceptLanguage.split(','));
}

function sendFile(koa: Koa.Context, content: string): void {
  koa.type = 'text/calendar; charset=utf-8';
  koa.set('Content-Disposition', `attachment; filename="${FILE}"`);
  koa.body = content;
}

function renderMeetingPage(meeting: AttendeeMeeting, token: string): string {
  const { language, withWhom, summary, description, state, start, end, timeZone } = meeting;
  const words = attendeeWords[language];
  const title = words.meeting(withWhom);
  const facts = [
    [
      words.when,
      `<time datetime="${start.toISOString()}">${escapeHtml(formatMeetingTime({ start, end, timeZone }, language))}</time>`,
    ],
    ...(summary === title ? [] : [[words.about, escapeHtml(summary)]]),
  ];
  return renderPage(
    title,
    `<h1>${escapeHtml(title)}</h1>
${state === 'to_come' ? '' : `<p role="status"><strong>${escapeHtml(stateText(meeting))}</strong></p>\n`}<div class="card">
<dl>${facts.map(([name = '', value = '']) => `<dt>${escapeHtml(name)}</dt><dd>${value}</dd>`).join('')}</dl>
${renderParagraphs(description)}
</div>
${state === 'to_come' ? actions(language, token) : ''}`,
    { language, linksToConsole: false },
  );
}

function stateText({ language, state }: AttendeeMeeting): string {
  const { page: words } = attendeeWords[language];
  return { to_come: '', begun: words.begun, over: words.over, cancelled: words.cancelled }[state];
}

function actions(language: Language, token: string): string {
  const { page: words } = attendeeWords[language];
  const at = `${FOLDER}${escapeHtml(token)}`;
  return `<p><a href="${at}/${FILE}">${escapeHtml(words.file)}</a></p>
<form method="post" action="${at}"><p>${escapeHtml(words.ask)}</p><button>${escapeHtml(words.cancel)}</button></form>`;
}

function renderParagraphs(text: string): string {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => `<p>${escapeHtml(line)}</p>`)
    .join('\n');
}

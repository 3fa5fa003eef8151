import { spansOf } from '../../../core/analytics/analytics-range.ts';
import type { Clock } from '../../../core/clock.ts';
import { labelled, languageOf, locales, numberText, type Language } from '../../../core/languages.ts';
import { addDays } from '../../../core/local-time.ts';
import { isTimeZone } from '../../../core/time-zone.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { Database } from '../../../database/database.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { AnalyticsFigure } from '../../../entities/analytics/analytics-figures.ts';
import type { Org } from '../../../entities/team/org.entity.ts';
import type { EventCountRepository } from '../../../repositories/alerts/event-count.repository.ts';
import type { AnalyticsRepository } from '../../../repositories/analytics/analytics.repository.ts';
import type { WeeklyMailRepository } from '../../../repositories/mail/weekly-mail.repository.ts';
import { digestMailWorkflowId, type DigestMailInput } from '../../../core/workflows/commands.ts';
import { NO_WORKSPACE, type OutboxService } from '../../outbox/outbox-service.ts';
import type { EmailPreferencesService } from '../email-preferences-service.ts';
import type { MailService } from '../mail-service.ts';
import { subjectWith } from '../rendering/render-mail.ts';
import { mondayOfMail, weekBefore, type CountedWeek } from './week-of.ts';
import { weekFigures, weekWords, type WeekFigure } from './week-words.ts';

export interface WeeklyMailDeps {
  weekly: WeeklyMailRepository;
  counts: EventCountRepository;
  preferences: EmailPreferencesService;
  mail: MailService;
  outbox: OutboxService;
  analytics: AnalyticsRepository;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl'>;
}

/** What its workflow shows. */
export interface WeeklyMailEnd {
  state: 'queued' | 'empty' | 'unwanted' | 'gone';
  lines: string[];
}

type Figures = Record<WeekFigure, { count: number; before: number }>;

const BATCH = 200;
const MOST_WORKSPACES = 50;
/** Figures that analytics define: a week of the mail has the same as the overview of that week. */
const analyticsOf = {
  conversations: 'conversations',
  leads: 'leads',
  handoffs: 'handoffsRequested',
  unanswered: 'unanswered',
} as const satisfies Partial<Record<WeekFigure, AnalyticsFigure>>;
const eventOf: Partial<Record<WeekFigure, string>> = {
  bookings: 'booking.created',
  failedDocuments: 'document.failed',
};

/** Mails people on Mondays what the week has brought in their workspaces. */
export class WeeklyMails {
  readonly #deps: WeeklyMailDeps;

  constructor(deps: WeeklyMailDeps) {
    this.#deps = deps;
  }

  /** Claims whom it is time for, with the commands that start their workflows; returns how many. */
  async startDue(database: Database): Promise<number> {
    const { weekly, clock } = this.#deps;
    const now = clock.now();
    const due = new Map<string, string[]>();
    for (const zone of await weekly.listZones(database)) {
      const monday = mondayOfMail(zone, now);
      if (monday !== null) due.set(monday, [...(due.get(monday) ?? []), zone]);
    }
    let started = 0;
    for (const [monday, zones] of due) started += await this.#startAll(database, monday, zones);
    return started;
  }

  /** Queued once, however often it is done. */
  mailWeek(database: Database, { userId, week }: DigestMailInput): Promise<WeeklyMailEnd> {
    return database.transaction(async (db) => {
      const { weekly, preferences } = this.#deps;
      const reader = await weekly.findReader(db, userId);
      if (!reader) return end('gone', 'The reader has no account any more.');
      if (!(await preferences.isWanted(db, userId, 'digest')))
        return end('unwanted', 'The reader has turned off mail of the category digest.');
      const orgs = await weekly.listWorkspaces(db, userId, MOST_WORKSPACES);
      const zone = zoneOf(orgs);
      const counted = await this.#countAll(db, orgs, weekBefore(week, zone));
      if (counted.length === 0) return end('empty', 'Nothing has happened.');
      const mail = { to: reader.email, userId, key: `digest-mail/${userId}/${week}` };
      const data = this.#dataOf(counted, languageOf(orgs[0]?.settings ?? {}), week);
      await this.#deps.mail.send(db, { ...mail, template: 'week_brought', data });
      return end('queued', `Workspaces in which something has happened: ${counted.length}`);
    });
  }

  async #startAll(database: Database, week: string, zones: string[]): Promise<number> {
    const { weekly, outbox } = this.#deps;
    for (let started = 0; ;) {
      const readers = await database.transaction(async (db) => {
        const claimed = await weekly.claimReaders(db, week, zones, BATCH);
        await weekly.deleteOld(db);
        const commands = claimed.map((userId) => ({
          orgId: NO_WORKSPACE,
          traceparent: outbox.traceparent,
          command: {
            workflow: 'digestMail',
            action: 'start',
            workflowId: digestMailWorkflowId(userId, week),
            args: [{ userId, week }],
            summary: 'Mail what the week has brought',
          } as const,
        }));
        await outbox.commands(db, commands as never);
        return claimed.length;
      });
      started += readers;
      if (readers < BATCH) return started;
    }
  }

  /** Of workspaces in which something has happened. */
  async #countAll(db: Database, orgs: Org[], week: CountedWeek): Promise<{ org: Org; figures: Figures }[]> {
    const counted = [];
    for (const org of orgs) {
      const figures = await this.#count({ db, orgId: org.id }, week);
      if (Object.values(figures).some(({ count }) => count > 0)) counted.push({ org, figures });
    }
    return counted;
  }

  async #count(scope: OrgScope, { before, from, to }: CountedWeek): Promise<Figures> {
    const { counts } = this.#deps;
    const range = { botId: null, from: before, to: new Date(to.getTime() - 1), since: from };
    const totals = await counts.listTotals(scope, range);
    const [now, then] = [
      await this.#analyticsOf(scope, from, to),
      await this.#analyticsOf(scope, before, from),
    ];
    const figures = weekFigures.map((figure) => {
      if (isOfAnalytics(figure)) {
        const name = analyticsOf[figure];
        return [figure, { count: now[name], before: then[name] }];
      }
      const of = totals.filter(({ name }) => name === eventOf[figure]);
      const count = of.reduce((sum, { recent }) => sum + recent, 0);
      const inAll = of.reduce((sum, { total }) => sum + total, 0);
      return [figure, { count, before: inAll - count }];
    });
    return Object.fromEntries(figures) as Figures;
  }

  async #analyticsOf(scope: OrgScope, from: Date, to: Date) {
    const range = { start: from.getTime(), end: to.getTime() };
    const asked = { botId: null, range, whole: spansOf(range), series: [], days: [] };
    return (await this.#deps.analytics.read(scope, asked)).whole;
  }

  #dataOf(counted: { org: Org; figures: Figures }[], language: Language, monday: string) {
    const words = weekWords[language];
    const [only, ...others] = counted.map(({ org }) => org.name);
    const subject =
      others.length > 0 ? words.subject(null) : subjectWith((org) => words.subject(org), only ?? '');
    const day = new Intl.DateTimeFormat(locales[language], {
      day: 'numeric',
      month: 'long',
      timeZone: 'UTC',
    });
    const dayText = (days: number) => day.format(Date.parse(addDays(monday, days)));
    const report = counted.flatMap(({ org, figures }) => [
      org.name,
      ...weekFigures.flatMap((figure) => {
        const { count, before } = figures[figure];
        if (count === 0 && before === 0) return [];
        const compared = words.before(numberText(language, before));
        return labelled(language, words[figure], `${numberText(language, count)} (${compared})`);
      }),
      '',
    ]);
    const { greeting, open, why, turnOff } = words;
    const intro = words.intro(dayText(-7), dayText(-1));
    const link = `${this.#deps.settings.baseUrl}/console`;
    return { language, subject, greeting, intro, report, open, why, turnOff, link };
  }
}

function isOfAnalytics(figure: WeekFigure): figure is keyof typeof analyticsOf {
  return figure in analyticsOf;
}

/** Of the workspace that somebody belongs to first. */
function zoneOf([first]: Org[]): string {
  const zone = first?.settings.time_zone;
  return zone !== undefined && isTimeZone(zone) ? zone : 'UTC';
}

function end(state: WeeklyMailEnd['state'], line: string): WeeklyMailEnd {
  return { state, lines: [line] };
}

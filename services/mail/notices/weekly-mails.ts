import { splitIntoSpans } from '../../../core/analytics/analytics-range.ts';
import type { Clock } from '../../../core/clock.ts';
import {
  formatLabeled,
  getDefaultLanguage,
  locales,
  formatNumber,
  type Language,
} from '../../../core/languages.ts';
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
import { NO_WORKSPACE, type AddressedCommand, type OutboxService } from '../../outbox/outbox-service.ts';
import type { EmailPreferencesService } from '../email-preferences-service.ts';
import type { MailService } from '../mail-service.ts';
import { composeSubject } from '../rendering/render-mail.ts';
import { findMailMonday, getWeekBefore, type CountedWeek } from './mail-week.ts';
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

/** Result of queuing a user's weekly email, which the workflow shows to operators. */
export interface WeeklyMailEnd {
  state: 'queued' | 'empty' | 'unwanted' | 'gone';
  lines: string[];
}

type Figures = Record<WeekFigure, { count: number; before: number }>;

const BATCH = 200;
const MAX_WORKSPACES = 50;
/**
 * Figures in the weekly email, by their names in analytics, so that the email shows the same numbers as the
 * console.
 */
const analyticsFigures = {
  conversations: 'conversations',
  leads: 'leads',
  handoffs: 'handoffsRequested',
  unanswered: 'unanswered',
} as const satisfies Partial<Record<WeekFigure, AnalyticsFigure>>;
const eventNames: Partial<Record<WeekFigure, string>> = {
  bookings: 'booking.created',
  failedDocuments: 'document.failed',
};

/** Sends users a weekly summary of their workspaces by email, on Mondays. */
export class WeeklyMails {
  readonly #deps: WeeklyMailDeps;

  constructor(deps: WeeklyMailDeps) {
    this.#deps = deps;
  }

  /** Starts a workflow for each user whose weekly email is due. Returns the number of users. */
  async startDue(database: Database): Promise<number> {
    const { weekly, clock } = this.#deps;
    const now = clock.now();
    const dueZones = new Map<string, string[]>();
    for (const zone of await weekly.listZones(database)) {
      const monday = findMailMonday(zone, now);
      if (monday !== null) dueZones.set(monday, [...(dueZones.get(monday) ?? []), zone]);
    }
    let started = 0;
    for (const [monday, zones] of dueZones) started += await this.#startAll(database, monday, zones);
    return started;
  }

  /** Queues a user's email for a week. Calling it again queues no second email. */
  mailWeek(database: Database, { userId, week }: DigestMailInput): Promise<WeeklyMailEnd> {
    return database.transaction(async (db) => {
      const { weekly, preferences } = this.#deps;
      const reader = await weekly.findReader(db, userId);
      if (!reader) return toEnd('gone', 'The recipient no longer has an account.');
      if (!(await preferences.isTurnedOn(db, userId, 'digest')))
        return toEnd('unwanted', 'The recipient has turned off emails of the category digest.');
      const orgs = await weekly.listWorkspaces(db, userId, MAX_WORKSPACES);
      const zone = pickReaderZone(orgs);
      const counted = await this.#countAll(db, orgs, getWeekBefore(week, zone));
      if (counted.length === 0) return toEnd('empty', 'Nothing has happened.');
      const mail = { to: reader.email, userId, key: `digest-mail/${userId}/${week}` };
      const data = this.#composeData(counted, getDefaultLanguage(orgs[0]?.settings ?? {}), week);
      await this.#deps.mail.send(db, { ...mail, template: 'week_brought', data });
      return toEnd('queued', `Workspaces in which something has happened: ${counted.length}`);
    });
  }

  async #startAll(database: Database, week: string, zones: string[]): Promise<number> {
    const { weekly, outbox } = this.#deps;
    for (let started = 0; ;) {
      const readers = await database.transaction(async (db) => {
        const claimed = await weekly.claimReaders(db, week, zones, BATCH);
        await weekly.deleteOld(db);
        const commands = claimed.map((userId): AddressedCommand => ({
          orgId: NO_WORKSPACE,
          traceparent: outbox.traceparent,
          command: {
            workflow: 'digestMail',
            action: 'start',
            workflowId: digestMailWorkflowId(userId, week),
            args: [{ userId, week }],
            summary: 'Email the weekly report',
          },
        }));
        await outbox.commands(db, commands);
        return claimed.length;
      });
      started += readers;
      if (readers < BATCH) return started;
    }
  }

  /** Computes the week's figures for each workspace, and omits workspaces without any activity. */
  async #countAll(db: Database, orgs: Org[], week: CountedWeek): Promise<{ org: Org; figures: Figures }[]> {
    const counted = [];
    for (const org of orgs) {
      const figures = await this.#countWeek({ db, orgId: org.id }, week);
      if (Object.values(figures).some(({ count }) => count > 0)) counted.push({ org, figures });
    }
    return counted;
  }

  async #countWeek(scope: OrgScope, { before, from, to }: CountedWeek): Promise<Figures> {
    const { counts } = this.#deps;
    const range = { botId: null, from: before, to: new Date(to.getTime() - 1), since: from };
    const totals = await counts.listTotals(scope, range);
    const [now, then] = [
      await this.#readAnalytics(scope, from, to),
      await this.#readAnalytics(scope, before, from),
    ];
    const figures = weekFigures.map((figure) => {
      if (isAnalyticsFigure(figure)) {
        const name = analyticsFigures[figure];
        return [figure, { count: now[name], before: then[name] }];
      }
      const matching = totals.filter(({ name }) => name === eventNames[figure]);
      const count = matching.reduce((sum, { recent }) => sum + recent, 0);
      const total = matching.reduce((sum, row) => sum + row.total, 0);
      return [figure, { count, before: total - count }];
    });
    return Object.fromEntries(figures) as Figures;
  }

  async #readAnalytics(scope: OrgScope, from: Date, to: Date) {
    const range = { start: from.getTime(), end: to.getTime() };
    const query = { botId: null, range, total: splitIntoSpans(range), series: [], days: [] };
    return (await this.#deps.analytics.read(scope, query)).whole;
  }

  #composeData(counted: { org: Org; figures: Figures }[], language: Language, monday: string) {
    const words = weekWords[language];
    const [only, ...others] = counted.map(({ org }) => org.name);
    const subject =
      others.length > 0 ? words.subject(null) : composeSubject((org) => words.subject(org), only ?? '');
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
        const compared = words.before(formatNumber(language, before));
        return formatLabeled(language, words[figure], `${formatNumber(language, count)} (${compared})`);
      }),
      '',
    ]);
    const { greeting, open, why, turnOff } = words;
    const intro = words.intro(dayText(-7), dayText(-1));
    const link = `${this.#deps.settings.baseUrl}/console`;
    return { language, subject, greeting, intro, report, open, why, turnOff, link };
  }
}

function isAnalyticsFigure(figure: WeekFigure): figure is keyof typeof analyticsFigures {
  return figure in analyticsFigures;
}

/** Returns the time zone of the user's first workspace; UTC if it has none. */
function pickReaderZone([first]: Org[]): string {
  const zone = first?.settings.time_zone;
  return zone !== undefined && isTimeZone(zone) ? zone : 'UTC';
}

function toEnd(state: WeeklyMailEnd['state'], line: string): WeeklyMailEnd {
  return { state, lines: [line] };
}

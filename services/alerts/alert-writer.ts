import type { MessageContent } from '../../adapters/messaging/message-content.ts';
import { buildConsoleLink } from '../../core/console-link.ts';
import type { Clock } from '../../core/clock.ts';
import { getDefaultLanguage } from '../../core/languages.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertFactsRepository } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import { composeAlerts, type ComposeOptions } from './compose-alerts.ts';
import { dayAt, nextSummaryTime } from './digests/local-days.ts';
import { DEFAULT_DAILY_CAP } from '../../core/alerts/daily-cap.ts';
import { formatTime, type ReaderClock } from './messages/reader-text.ts';

/**
 * Maximum number of alerts whose facts are read from the database for one message. Further alerts of the
 * message are only counted.
 */
const MAX_ALERTS_READ = 200;
const NOT_RELEVANT = 'There is nothing left to report about the event.';

export interface AlertWriterDeps {
  policies: AlertPolicyRepository;
  alerts: AlertRepository;
  facts: AlertFactsRepository;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl'>;
}

/** Writes the content of messages that report alerts, from the database's facts at the time of sending. */
export class AlertWriter {
  readonly #deps: AlertWriterDeps;

  constructor(deps: AlertWriterDeps) {
    this.#deps = deps;
  }

  /** Returns the content of an alert message; null if none of its alerts is still relevant. */
  async write(scope: OrgScope, message: AlertMessage): Promise<MessageContent | null> {
    const { policies, alerts, facts } = this.#deps;
    const policy = await policies.find(scope, message.policyId);
    const org = await facts.findOrg(scope);
    if (!policy || !org) return null;
    const clock = {
      language: getDefaultLanguage(org.settings),
      timezone: policy.timezone,
    };
    const shared = {
      clock,
      label: policy.label,
      last: await this.#findLastOfDay(scope, policy, message, clock),
      linkTo: (path: readonly string[]) => this.#buildLink(scope, path),
    };
    for (;;) {
      const all = await alerts.listByMessage(scope, message.id, MAX_ALERTS_READ);
      const isAll = all.length < MAX_ALERTS_READ;
      const { content, dropped } = composeAlerts(all, {
        ...shared,
        facts: await facts.read(
          scope,
          all.map(({ ids }) => ids),
        ),
        unreadCount: isAll ? 0 : (await alerts.countByMessage(scope, message.id)) - all.length,
      });
      await alerts.drop(scope, dropped, NOT_RELEVANT);
      // If all alerts of this page were dropped as irrelevant and further alerts exist, reads the next page.
      if (content || isAll) return content;
    }
  }

  /** Builds a link to a console page in this workspace. */
  #buildLink({ orgId }: OrgScope, path: readonly string[]): string {
    return buildConsoleLink(this.#deps.settings.baseUrl, orgId, path);
  }

  async #findLastOfDay(
    scope: OrgScope,
    policy: AlertPolicy,
    { countedOn }: AlertMessage,
    clock: ReaderClock,
  ): Promise<ComposeOptions['last']> {
    const now = this.#deps.clock.now();
    // A message that was postponed past midnight still counts toward the daily cap of its original day. It is
    // never the last message of the new day.
    if (countedOn === null || countedOn !== dayAt(now, policy.timezone)) return null;
    const days = await this.#deps.policies.listDays(scope, [{ policyId: policy.id, date: countedOn }]);
    const cap = policy.dailyCap ?? DEFAULT_DAILY_CAP;
    const day: AlertDay | undefined = days.get(policy.id);
    if (!day || day.sent < cap) return null;
    return { cap, time: formatTime(nextSummaryTime(now, policy), clock, 'day') };
  }
}

import type { MessageContent } from '../../adapters/messaging/message-content.ts';
import { consoleLink } from '../../core/console-link.ts';
import type { Clock } from '../../core/clock.ts';
import { languageOf } from '../../core/languages.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertDay, AlertMessage } from '../../entities/alerts/alert-message.entity.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { AlertFactsRepository } from '../../repositories/alerts/alert-facts.repository.ts';
import type { AlertPolicyRepository } from '../../repositories/alerts/alert-policy.repository.ts';
import type { AlertRepository } from '../../repositories/alerts/alert.repository.ts';
import { composeAlerts, type ComposeOptions } from './compose-alerts.ts';
import { dayAt, summaryAfter } from './digests/local-days.ts';
import { MOST_A_DAY } from './alert-policy-service.ts';
import { timeText, type ReadersClock } from './messages/shown-text.ts';

/** Alerts whose facts are read for one message; of others it says how many there are. */
const MOST_LOOKED_AT = 200;
const GONE = 'There is nothing to tell of it any more.';

export interface AlertWriterDeps {
  policies: AlertPolicyRepository;
  alerts: AlertRepository;
  facts: AlertFactsRepository;
  clock: Clock;
  settings: Pick<Settings, 'baseUrl'>;
}

/** Words of alerts, by what is known when they are sent. */
export class AlertWriter {
  readonly #deps: AlertWriterDeps;

  constructor(deps: AlertWriterDeps) {
    this.#deps = deps;
  }

  /** Null where there is nothing to tell any more. */
  async write(scope: OrgScope, message: AlertMessage): Promise<MessageContent | null> {
    const { policies, alerts, facts } = this.#deps;
    const policy = await policies.find(scope, message.policyId);
    const org = await facts.findOrg(scope);
    if (!policy || !org) return null;
    const clock = {
      language: languageOf(org.settings),
      timezone: policy.timezone,
    };
    const shared = {
      clock,
      label: policy.label,
      last: await this.#lastOf(scope, policy, message, clock),
      linkTo: (place: readonly string[]) => this.#link(scope, place),
    };
    for (;;) {
      const all = await alerts.listOf(scope, message.id, MOST_LOOKED_AT);
      const isAll = all.length < MOST_LOOKED_AT;
      const { content, dropped } = composeAlerts(all, {
        ...shared,
        facts: await facts.read(
          scope,
          all.map(({ ids }) => ids),
        ),
        unseen: isAll ? 0 : (await alerts.countOf(scope, message.id)) - all.length,
      });
      await alerts.drop(scope, dropped, GONE);
      // Behind two hundred that are of no use any more there may be others.
      if (content || isAll) return content;
    }
  }

  /** To a place in the console, which goes on in this workspace there. */
  #link({ orgId }: OrgScope, place: readonly string[]): string {
    return consoleLink(this.#deps.settings.baseUrl, orgId, place);
  }

  async #lastOf(
    scope: OrgScope,
    policy: AlertPolicy,
    { countedOn }: AlertMessage,
    clock: ReadersClock,
  ): Promise<ComposeOptions['last']> {
    const now = this.#deps.clock.now();
    // What was put off until after midnight is not the last of the day that it arrives on.
    if (countedOn === null || countedOn !== dayAt(now, policy.timezone)) return null;
    const days = await this.#deps.policies.listDays(scope, [{ policyId: policy.id, date: countedOn }]);
    const cap = policy.dailyCap ?? MOST_A_DAY;
    const day: AlertDay | undefined = days.get(policy.id);
    if (!day || day.sent < cap) return null;
    return { cap, time: timeText(summaryAfter(now, policy), clock, 'day') };
  }
}

import { alertPrice, parseAlertPrices, type AlertPrices } from '../../core/alerts/alert-prices.ts';
import type { Clock } from '../../core/clock.ts';
import { HOUR_MS } from '../../core/hours.ts';
import type { Settings } from '../../core/settings/settings.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AlertPolicy } from '../../entities/alerts/alert-policy.entity.ts';
import type { EventCountRepository } from '../../repositories/alerts/event-count.repository.ts';
import type { OrgRepository } from '../../repositories/team/org.repository.ts';
import { listDigestEvents, listImmediateEvents } from './event-selection.ts';
import { estimateAlerts, MAX_OBSERVED_DAYS, roundTo, type AlertVolume } from './estimate-alerts.ts';

export type EstimatedPolicy = Pick<
  AlertPolicy,
  | 'botId'
  | 'channel'
  | 'destination'
  | 'intensity'
  | 'events'
  | 'dailyCap'
  | 'digest'
  | 'digestHour'
  | 'digestWeekday'
  | 'timezone'
>;

export interface AlertEstimate extends AlertVolume {
  observedDays: number;
  unitPriceUsd: number;
  /** Estimated cost of the alert messages of a month, in US dollars. */
  costUsd: number;
}

export interface EstimateDeps {
  counts: EventCountRepository;
  orgs: Pick<OrgRepository, 'getCreatedAt'>;
  settings: Pick<Settings, 'alertPrices'>;
  clock: Clock;
}

const DAY_MS = 24 * HOUR_MS;

/**
 * Estimates the monthly messages and cost of an alert policy from the workspace's events of the last 30 days.
 */
export class AlertEstimator {
  readonly #deps: EstimateDeps;
  readonly #prices: AlertPrices;

  constructor(deps: EstimateDeps) {
    this.#deps = deps;
    this.#prices = parseAlertPrices(deps.settings.alertPrices) ?? {};
  }

  async estimate(scope: OrgScope, policy: EstimatedPolicy): Promise<AlertEstimate> {
    const { counts, orgs, clock } = this.#deps;
    const to = clock.now();
    const ageMs = to.getTime() - (await orgs.getCreatedAt(scope)).getTime();
    const ageDays = Math.floor(ageMs / DAY_MS);
    const days = Math.min(MAX_OBSERVED_DAYS, Math.max(1, ageDays));
    const selection = {
      ...policy,
      immediate: listImmediateEvents(policy),
      digested: listDigestEvents(policy),
    };
    const filter = { botId: policy.botId, names: [...selection.immediate, ...selection.digested] };
    const from = new Date(to.getTime() - days * DAY_MS);
    const volume = estimateAlerts(selection, await counts.listHours(scope, { ...filter, from, to }), days);
    const unitPriceUsd = alertPrice(this.#prices, policy);
    const messages = volume.messagesPerMonth + volume.digestsPerMonth;
    return {
      ...volume,
      // A workspace that is younger than a day and has no events yet was not observed, so the estimate means
      // nothing.
      observedDays: ageDays < 1 && volume.events === 0 ? 0 : days,
      unitPriceUsd,
      costUsd: roundTo(messages * unitPriceUsd, 4),
    };
  }
}

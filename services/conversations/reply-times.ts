import { LRUCache } from 'lru-cache';
import type { Clock } from '../../core/clock.ts';
import type { HandoffHours } from '../../core/conversations/handoff-config.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Bot } from '../../entities/bots/bot.entity.ts';
import type {
  AnsweredHandoff,
  HandoffWaitRepository,
} from '../../repositories/conversations/handoff-wait.repository.ts';
import { isTeamAvailable } from './handoff-hours.ts';

const PERIOD_MS = 30 * 24 * 60 * 60_000;
const MINUTE_MS = 60_000;
/** Maximum number of newest handoffs from which visitors' typical wait for the team is computed. */
const MAX_HANDOFFS = 100;
const MIN_HANDOFFS = 5;
/**
 * Waiting times for the team's reply that the widget can show, in minutes. If the typical wait is longer, the
 * widget shows none.
 */
const SHOWN_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 1440];
/** Limits of the cache of typical waits: number of bots, and lifetime of an entry in milliseconds. */
const CACHE = { max: 10_000, ttl: 10 * 60_000 };

/** Computes how long visitors typically wait until a member of the team answers. */
export class ReplyTimes {
  readonly #handoffs: HandoffWaitRepository;
  readonly #clock: Clock;
  readonly #cache = new LRUCache<string, { minutes: number | null }>(CACHE);

  constructor({ handoffs, clock }: { handoffs: HandoffWaitRepository; clock: Clock }) {
    this.#handoffs = handoffs;
    this.#clock = clock;
  }

  /**
   * Returns the minutes that visitors of a bot typically waited for the team in the last 30 days. Null if too
   * few visitors waited, or if they typically waited more than a day.
   */
  async findMinutes(scope: OrgScope, bot: Pick<Bot, 'id' | 'handoffConfig'>): Promise<number | null> {
    const cached = this.#cache.get(bot.id);
    if (cached) return cached.minutes;
    const since = new Date(this.#clock.now().getTime() - PERIOD_MS);
    const handoffs = await this.#handoffs.listAnswered(scope, bot.id, { since, limit: MAX_HANDOFFS });
    const minutes = computeTypicalMinutes(handoffs, bot.handoffConfig?.hours);
    this.#cache.set(bot.id, { minutes });
    return minutes;
  }
}

/**
 * Returns the minutes that visitors typically wait for the team: the median of those who asked within the
 * opening hours, rounded up to one of SHOWN_MINUTES. Returns null for fewer than MIN_HANDOFFS such visitors,
 * or for a median above all of SHOWN_MINUTES.
 */
export function computeTypicalMinutes(
  handoffs: readonly AnsweredHandoff[],
  hours: HandoffHours | null | undefined,
): number | null {
  const waitsMs = handoffs
    .filter(({ requestedAt }) => isTeamAvailable(hours, requestedAt))
    .map(({ requestedAt, answeredAt }) => answeredAt.getTime() - requestedAt.getTime())
    .sort((a, b) => a - b);
  if (waitsMs.length < MIN_HANDOFFS) return null;
  const medianMs = waitsMs[Math.floor(waitsMs.length / 2)]!;
  return SHOWN_MINUTES.find((minutes) => medianMs <= minutes * MINUTE_MS) ?? null;
}

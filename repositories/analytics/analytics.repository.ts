import { floorToQuarterHour, type RollupRange, type MsRange } from '../../core/analytics/analytics-range.ts';
import { findSharedBin, type BinCount } from '../../core/analytics/histogram.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AnalyticsFigure } from '../../entities/analytics/analytics-figures.ts';
import { AnalyticsRollup } from '../../entities/analytics/analytics-rollup.entity.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import { FOLD_ANALYTICS, RECORD_ANSWERS, READ_FIGURES, type FoldedDeltas } from './analytics.sql.ts';

export type Figures = Record<AnalyticsFigure, number>;

/** Analytics figures to read: totals with a histogram for a range, and totals for each of its days. */
export interface FiguresQuery {
  /** Bot whose analytics figures are read; null for the whole workspace. */
  botId: string | null;
  range: MsRange;
  /** Rollup periods that together cover the requested range. */
  total: readonly RollupRange[];
  /** Rollup periods that together cover the requested days. */
  series: readonly RollupRange[];
  days: readonly Pick<MsRange, 'start'>[];
}

export interface FiguresResult {
  whole: Figures;
  bins: BinCount[];
  days: Figures[];
}

/** Data of a finished answer that analytics count. */
export type AnswerFigures = Pick<
  Message,
  'orgId' | 'latencyMs' | 'ttftMs' | 'isError' | 'isUnanswered' | 'createdAt'
> & { botId: string };

/** Stores and reads the figures of analytics. */
export class AnalyticsRepository {
  /** Reads all analytics figures in one snapshot, so that the days add up to the range. */
  async read(
    { db, orgId }: OrgScope,
    { botId, range, total, series, days }: FiguresQuery,
  ): Promise<FiguresResult> {
    const rollups = [...total, ...series];
    const rows = await db.run(READ_FIGURES, [
      orgId,
      botId,
      rollups.map((_, index) => index < total.length),
      rollups.map(({ span }) => span),
      rollups.map(({ start }) => new Date(start)),
      rollups.map(({ end }) => new Date(end)),
      days.map(({ start }) => new Date(start)),
      new Date(range.start),
      new Date(range.end),
    ]);
    const figures = new Map(rows.flatMap((row) => (row.bin === null ? [[row.part, row] as const] : [])));
    return {
      whole: figures.get(0) ?? NO_FIGURES,
      bins: rows.flatMap(({ bin, count }) => (bin === null ? [] : [{ bin, count }])),
      days: days.map((_, index) => figures.get(index + 1) ?? NO_FIGURES),
    };
  }

  /**
   * Adds finished answers to the analytics figures. The statement is sent together with the transaction's
   * COMMIT.
   */
  recordAnswers(db: Database, answers: readonly AnswerFigures[]): void {
    const toBin = (kind: 'latency' | 'ttft', value: number | null, isError: boolean) =>
      value === null || isError ? null : findSharedBin(kind, value);
    db.runWithCommit(RECORD_ANSWERS, [
      answers.map(({ orgId }) => orgId),
      answers.map(({ botId }) => botId),
      answers.map(({ createdAt }) => new Date(floorToQuarterHour(createdAt.getTime()))),
      answers.map(({ latencyMs, isError }) => toBin('latency', latencyMs, isError)),
      answers.map(({ ttftMs, isError }) => toBin('ttft', ttftMs, isError)),
      answers.map(({ isError }) => isError),
      answers.map(({ isUnanswered }) => isUnanswered),
    ]);
  }

  /** Folds a batch of analytics deltas into rollups. Returns the number of deltas. */
  async fold(db: Database): Promise<number> {
    return db.transaction(async (tx) => {
      const [folded] = await tx.run(FOLD_ANALYTICS);
      if (folded!.subjectIds.length > 0) await this.#delete(tx, folded!);
      return folded!.taken;
    });
  }

  async #delete(db: Database, { subjectIds, spans, startsAt }: FoldedDeltas): Promise<void> {
    await db
      .repository(AnalyticsRollup)
      .createQueryBuilder()
      .delete()
      .where(
        '(subject_id, span, starts_at) IN (SELECT * FROM unnest(:subjectIds::uuid[], :spans::text[], :startsAt::timestamptz[]))',
        { subjectIds, spans, startsAt },
      )
      .execute();
  }
}

const NO_FIGURES: Figures = {
  sessions: 0,
  conversations: 0,
  ended: 0,
  resolved: 0,
  selfServed: 0,
  leads: 0,
  spokenLeads: 0,
  rated1: 0,
  rated2: 0,
  rated3: 0,
  rated4: 0,
  rated5: 0,
  handoffsRequested: 0,
  handoffsAnswered: 0,
  errors: 0,
  unanswered: 0,
};

import { quarterOf, type SpanStretch } from '../../core/analytics/analytics-range.ts';
import { binIn, type BinCount } from '../../core/analytics/histogram.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { AnalyticsFigure } from '../../entities/analytics/analytics-figures.ts';
import type { Message } from '../../entities/conversations/message.entity.ts';
import { FIGURES_OF_PARTS, FOLD_ANALYTICS, NOTE_ANSWERS } from './analytics.sql.ts';

export type Figures = Record<AnalyticsFigure, number>;

/** What is asked for: bins of all of it, and figures of it and of each of its days. */
export interface AskedFigures {
  /** Null for the whole workspace. */
  botId: string | null;
  whole: readonly SpanStretch[];
  /** Of each day. */
  days: readonly (readonly SpanStretch[])[];
}

export interface KnownFigures {
  whole: Figures;
  bins: BinCount[];
  days: Figures[];
}

/** An answer that is finished, as figures see it. */
export type NotedAnswer = Pick<
  Message,
  'orgId' | 'latencyMs' | 'ttftMs' | 'isError' | 'isUnanswered' | 'createdAt'
> & { botId: string };

/** How conversations go, in figures. */
export class AnalyticsRepository {
  /** In one snapshot, so that days add up to the whole. */
  async read({ db, orgId }: OrgScope, { botId, whole, days }: AskedFigures): Promise<KnownFigures> {
    const ranges = [whole, ...days].flatMap((spans, part) => spans.map((span) => ({ ...span, part })));
    const rows = await db.run(FIGURES_OF_PARTS, [
      orgId,
      botId,
      ranges.map(({ part }) => part),
      ranges.map(({ span }) => span),
      ranges.map(({ start }) => new Date(start)),
      ranges.map(({ end }) => new Date(end)),
    ]);
    const figures = new Map(rows.flatMap((row) => (row.bin === null ? [[row.part, row] as const] : [])));
    return {
      whole: figures.get(0) ?? nothing,
      bins: rows.flatMap(({ bin, count }) => (bin === null ? [] : [{ bin, count }])),
      days: days.map((_, index) => figures.get(index + 1) ?? nothing),
    };
  }

  /** Has figures include answers, with COMMIT. */
  note(db: Database, answers: readonly NotedAnswer[]): void {
    const binOf = (kind: 'latency' | 'ttft', value: number | null, isError: boolean) =>
      value === null || isError ? null : binIn(kind, value);
    db.runWithCommit(NOTE_ANSWERS, [
      answers.map(({ orgId }) => orgId),
      answers.map(({ botId }) => botId),
      answers.map(({ createdAt }) => new Date(quarterOf(createdAt.getTime()))),
      answers.map(({ latencyMs, isError }) => binOf('latency', latencyMs, isError)),
      answers.map(({ ttftMs, isError }) => binOf('ttft', ttftMs, isError)),
      answers.map(({ isError }) => isError),
      answers.map(({ isUnanswered }) => isUnanswered),
    ]);
  }

  /** Makes rollups of a batch of deltas; returns how many there were. */
  async fold(db: Database): Promise<number> {
    const [folded] = await db.run(FOLD_ANALYTICS);
    return folded?.taken ?? 0;
  }
}

const nothing: Figures = {
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

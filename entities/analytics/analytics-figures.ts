import { Column } from 'typeorm';
import { Counter } from '../../database/columns.ts';

/**
 * Columns with one number for each analytics figure: a change in a delta, a sum in a rollup.
 * docs/analytics.md defines the figures.
 */
export abstract class AnalyticsFigures {
  @Counter('sessions') sessions!: number;
  @Counter('conversations') conversations!: number;
  @Counter('ended') ended!: number;
  @Counter('resolved') resolved!: number;
  @Counter('self_served') selfServed!: number;
  @Counter('leads') leads!: number;
  /** Number of leads whose visitor has sent at least one message. */
  @Counter('spoken_leads') spokenLeads!: number;
  @Counter('rated_1') rated1!: number;
  @Counter('rated_2') rated2!: number;
  @Counter('rated_3') rated3!: number;
  @Counter('rated_4') rated4!: number;
  @Counter('rated_5') rated5!: number;
  @Counter('handoffs_requested') handoffsRequested!: number;
  @Counter('handoffs_answered') handoffsAnswered!: number;
  @Counter('errors') errors!: number;
  @Counter('unanswered') unanswered!: number;
  /** Numbers of the histogram bins with measured values, as `core/analytics/histogram.ts` defines them. */
  @Column({ name: 'bins', type: 'smallint', array: true, default: {} }) bins!: number[];
  /** Number of measured values in each histogram bin of `bins`. */
  @Column({ name: 'bin_counts', type: 'integer', array: true, default: {} }) binCounts!: number[];
}

export const analyticsFigures = [
  'sessions',
  'conversations',
  'ended',
  'resolved',
  'selfServed',
  'leads',
  'spokenLeads',
  'rated1',
  'rated2',
  'rated3',
  'rated4',
  'rated5',
  'handoffsRequested',
  'handoffsAnswered',
  'errors',
  'unanswered',
] as const satisfies (keyof AnalyticsFigures)[];

export type AnalyticsFigure = (typeof analyticsFigures)[number];

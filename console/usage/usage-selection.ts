const MONTHS = 24;

export const measures = {
  messages: 'Messages',
  input_tokens: 'Input tokens',
  output_tokens: 'Output tokens',
  cost_usd: 'Cost (USD)',
} as const;
export type Measure = keyof typeof measures;

export const groups = [
  ['', 'Total'],
  ['bot', 'Bot'],
  ['model', 'Model'],
] as const;

/** Values of the filters on the usage page. */
export interface UsageSelection {
  /** Month as YYYY-MM. */
  month: string;
  includesChildren: boolean;
  groupBy: (typeof groups)[number][0];
  measure: Measure;
}

/** Reads the filters of the usage page from the URL; replaces unknown values by defaults. */
export function readUsageSelection(filters: Record<string, string>, currentMonth: string): UsageSelection {
  const { month = '', children, group_by: groupBy, measure = '' } = filters;
  return {
    month: listMonths(new Date()).includes(month) ? month : currentMonth,
    includesChildren: children === 'true',
    groupBy: groupBy === 'bot' || groupBy === 'model' ? groupBy : '',
    measure: Object.hasOwn(measures, measure) ? (measure as Measure) : 'messages',
  };
}

/** Returns the current month and earlier months as YYYY-MM, in UTC. */
export function listMonths(now: Date): string[] {
  return Array.from({ length: MONTHS }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index, 1)).toISOString().slice(0, 7),
  );
}

export function formatMonth(month: string): string {
  return new Date(month).toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
}

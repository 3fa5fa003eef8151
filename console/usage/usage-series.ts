import { addDays } from '../../core/local-time.ts';
import type { UsageDay } from '../client/types.ts';
import type { ChartData, Series } from '../ui/charts/chart-data.ts';
import { measures, type ChosenUsage } from './usage-filters.tsx';

/** As many as have colours of their own; the rest is one. */
const MOST_SERIES = 5;

interface SeriesOptions extends Pick<ChosenUsage, 'measure' | 'groupBy'> {
  from: string;
  to: string;
  /** Of bots, by their ids. */
  names: ReadonlyMap<string, string>;
}

/** A figure of each day, told apart by bots or models: those that have used most, and all others together. */
export function seriesOf(rows: readonly UsageDay[], options: SeriesOptions): ChartData {
  const { from, to, measure } = options;
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  const byName = new Map<string, Map<string, number>>();
  for (const row of rows) {
    const name = nameOf(row, options);
    const values = byName.get(name) ?? new Map<string, number>();
    byName.set(name, values.set(row.date, (values.get(row.date) ?? 0) + row[measure]));
  }
  const all = [...byName]
    .map(([name, values]) => ({ name, values: days.map((day) => values.get(day) ?? 0) }))
    .toSorted((one, other) => totalOf(other) - totalOf(one));
  return {
    rowName: 'Day',
    rows: days.map((day) => ({ name: day, short: String(Number(day.slice(8))) })),
    series: all.length > MOST_SERIES ? gathered(all) : all,
  };
}

function nameOf({ bot_id: botId, model }: UsageDay, { measure, groupBy, names }: SeriesOptions): string {
  if (groupBy === 'model') return model ?? 'No model';
  if (groupBy !== 'bot') return measures[measure];
  if (botId === null) return 'No bot';
  return names.get(botId) ?? `Bot …${botId.slice(-6)}`;
}

function gathered(all: readonly Series[]): Series[] {
  const others = all.slice(MOST_SERIES - 1);
  const values = others[0]!.values.map((_, day) =>
    others.reduce((sum, each) => sum + (each.values[day] ?? 0), 0),
  );
  return [...all.slice(0, MOST_SERIES - 1), { name: `${others.length} others`, values }];
}

function totalOf({ values }: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

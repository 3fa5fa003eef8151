import { addDays } from '../../core/local-time.ts';
import type { UsageDay } from '../client/types.ts';
import type { ChartData, Series } from '../ui/charts/chart-data.ts';
import { measures, type ChosenUsage } from './chosen-usage.ts';

/** Maximum number of series, one for each colour; the last one sums up the rest. */
const MOST_SERIES = 5;

interface SeriesOptions extends Pick<ChosenUsage, 'measure' | 'groupBy'> {
  from: string;
  to: string;
  /** Names of bots by id. */
  names: ReadonlyMap<string, string>;
}

/** Returns a daily value by bot or model: the largest ones, and the sum of the rest. */
export function seriesOf(rows: readonly UsageDay[], options: SeriesOptions): ChartData {
  const { from, to, measure } = options;
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  const byKey = new Map<string | null, Map<string, number>>();
  for (const row of rows) {
    const key = keyOf(row, options);
    const values = byKey.get(key) ?? new Map<string, number>();
    byKey.set(key, values.set(row.date, (values.get(row.date) ?? 0) + row[measure]));
  }
  const names = namesOf([...byKey.keys()], options);
  const all = [...byKey.values()]
    .map((values, index) => ({ name: names[index]!, values: days.map((day) => values.get(day) ?? 0) }))
    .toSorted((one, other) => totalOf(other) - totalOf(one));
  return {
    rowName: 'Day',
    rows: days.map((day) => ({ name: day, short: String(Number(day.slice(8))) })),
    series: all.length > MOST_SERIES ? gathered(all) : all,
  };
}

/** Returns the key of a row's series; null if the row belongs to no bot or model. */
function keyOf({ bot_id: botId, model }: UsageDay, { groupBy }: SeriesOptions): string | null {
  if (groupBy === 'model') return model;
  return groupBy === 'bot' ? botId : null;
}

/** Names the series; adds an id suffix if several bots share a name. */
function namesOf(keys: readonly (string | null)[], options: SeriesOptions): string[] {
  const names = keys.map((key) => nameOf(key, options));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, index) => {
    const key = keys[index];
    return key && counts.get(name)! > 1 ? `${name} ${endOf(key)}` : name;
  });
}

function nameOf(key: string | null, { measure, groupBy, names }: SeriesOptions): string {
  if (groupBy === 'model') return key ?? 'No model';
  if (groupBy !== 'bot') return measures[measure];
  return key === null ? 'No bot' : (names.get(key) ?? `Bot ${endOf(key)}`);
}

function endOf(id: string): string {
  return `…${id.slice(-6)}`;
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

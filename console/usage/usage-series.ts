import { addDays } from '../../core/local-time.ts';
import type { UsageDay } from '../client/types.ts';
import type { ChartData, Series } from '../components/charts/chart-data.ts';
import { measures, type UsageSelection } from './usage-selection.ts';

/**
 * Maximum number of series in the usage chart, since there are five colors. The last series sums up all
 * series that are not shown.
 */
const MAX_SERIES = 5;

interface SeriesOptions extends Pick<UsageSelection, 'measure' | 'groupBy'> {
  from: string;
  to: string;
  /** Names of bots by id. */
  names: ReadonlyMap<string, string>;
}

/**
 * Converts usage to the data of a chart with one series for each bot or model. Includes the largest series,
 * and the sum of all other series.
 */
export function toUsageSeries(rows: readonly UsageDay[], options: SeriesOptions): ChartData {
  const { from, to, measure } = options;
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  const byKey = new Map<string | null, Map<string, number>>();
  for (const row of rows) {
    const key = getSeriesKey(row, options);
    const values = byKey.get(key) ?? new Map<string, number>();
    byKey.set(key, values.set(row.date, (values.get(row.date) ?? 0) + row[measure]));
  }
  const names = nameSeries([...byKey.keys()], options);
  const all = [...byKey.values()]
    .map((values, index) => ({ name: names[index]!, values: days.map((day) => values.get(day) ?? 0) }))
    .toSorted((one, other) => sumValues(other) - sumValues(one));
  return {
    rowName: 'Day',
    rows: days.map((day) => ({ name: day, short: String(Number(day.slice(8))) })),
    series: all.length > MAX_SERIES ? sumRest(all) : all,
  };
}

/**
 * Returns the id of the bot or the name of the model to whose chart series the row of usage belongs; null if
 * the row has neither.
 */
function getSeriesKey({ bot_id: botId, model }: UsageDay, { groupBy }: SeriesOptions): string | null {
  if (groupBy === 'model') return model;
  return groupBy === 'bot' ? botId : null;
}

/** Returns the names of the usage chart's series. If several bots share a name, adds a part of their ids. */
function nameSeries(keys: readonly (string | null)[], options: SeriesOptions): string[] {
  const names = keys.map((key) => getSeriesName(key, options));
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, index) => {
    const key = keys[index];
    return key && counts.get(name)! > 1 ? `${name} ${abbreviateId(key)}` : name;
  });
}

function getSeriesName(key: string | null, { measure, groupBy, names }: SeriesOptions): string {
  if (groupBy === 'model') return key ?? 'No model';
  if (groupBy !== 'bot') return measures[measure];
  return key === null ? 'No bot' : (names.get(key) ?? `Bot ${abbreviateId(key)}`);
}

function abbreviateId(id: string): string {
  return `…${id.slice(-6)}`;
}

function sumRest(all: readonly Series[]): Series[] {
  const others = all.slice(MAX_SERIES - 1);
  const values = others[0]!.values.map((_, day) =>
    others.reduce((sum, each) => sum + (each.values[day] ?? 0), 0),
  );
  return [...all.slice(0, MAX_SERIES - 1), { name: `${others.length} others`, values }];
}

function sumValues({ values }: Series): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** Builds busy periods of a calendar, one minute each, with a free minute in between, as pairs of minutes. */
export function buildBusyPeriods(count: number, firstMinute = 0): number[] {
  return Array.from({ length: 2 * count }, (_, index) => firstMinute + index);
}

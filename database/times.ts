import { Raw, type FindOperator } from 'typeorm';

type Unit = 'secs' | 'hours' | 'days';

/** A time to write, by the clock of the database. */
export const fromNow = (count: number, unit: Unit) => () => `now() + make_interval(${unit} => ${count})`;

/** Whether a column's time is still to come, by the clock of the database. */
export const isToCome = (): FindOperator<Date> => Raw((column) => `${column} > now()`);

/** The opposite. */
export const isPast = (): FindOperator<Date> => Raw((column) => `${column} <= now()`);

/** @param interval in SQL */
export const isNewerThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} > now() - ${interval}`);

/** @param interval in SQL */
export const isOlderThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} <= now() - ${interval}`);

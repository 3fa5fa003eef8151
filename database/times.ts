import { Raw, type FindOperator } from 'typeorm';

type Unit = 'secs' | 'hours' | 'days';

/** Returns SQL for the time that lies `count` units after now, by the database's clock. */
export const fromNow = (count: number, unit: Unit) => () => `now() + make_interval(${unit} => ${count})`;

/** Builds a query condition for times in the future, by the database's clock. */
export const isInFuture = (): FindOperator<Date> => Raw((column) => `${column} > now()`);

/** Builds a query condition for times in the past, by the database's clock. */
export const isInPast = (): FindOperator<Date> => Raw((column) => `${column} <= now()`);

/**
 * Builds a query condition for times that are newer than the given interval before now.
 * @param interval length of time as an SQL interval
 */
export const isNewerThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} > now() - ${interval}`);

/**
 * Builds a query condition for times that are older than the given interval before now.
 * @param interval length of time as an SQL interval
 */
export const isOlderThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} <= now() - ${interval}`);

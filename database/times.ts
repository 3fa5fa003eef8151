import { Raw, type FindOperator } from 'typeorm';

type Unit = 'secs' | 'hours' | 'days';

/** Returns SQL for a time in the future, by the database's clock. */
export const fromNow = (count: number, unit: Unit) => () => `now() + make_interval(${unit} => ${count})`;

/** Matches times in the future, by the database's clock. */
export const isInFuture = (): FindOperator<Date> => Raw((column) => `${column} > now()`);

/** Matches times that have passed, by the database's clock. */
export const isInPast = (): FindOperator<Date> => Raw((column) => `${column} <= now()`);

/** @param interval SQL interval */
export const isNewerThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} > now() - ${interval}`);

/** @param interval SQL interval */
export const isOlderThan = (interval: string): FindOperator<Date> =>
  Raw((column) => `${column} <= now() - ${interval}`);

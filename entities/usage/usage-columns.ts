import { Column } from 'typeorm';

const asNumber = {
  to: (value: number) => value,
  from: (value: string) => Number(value),
};

/** Declares a 64-bit integer column with the default 0. JavaScript reads values up to 2^53 exactly. */
export const Int64 = (name: string) => Column({ name, type: 'bigint', default: 0, transformer: asNumber });

/** Declares a column of US dollars like `Dollars`, but large enough for the sum of several years. */
export const UsedDollars = (name: string) =>
  Column({ name, type: 'numeric', precision: 20, scale: 8, default: 0, transformer: asNumber });

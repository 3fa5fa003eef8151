import { Column } from 'typeorm';

const asNumber = {
  to: (value: number) => value,
  from: (value: string) => Number(value),
};

/** Declares a 64-bit integer column with the default 0; values are exact up to 2^53. */
export const Int64 = (name: string) => Column({ name, type: 'bigint', default: 0, transformer: asNumber });

/** Declares a column of US dollars like `Dollars`, with room for the sum of years. */
export const UsedDollars = (name: string) =>
  Column({ name, type: 'numeric', precision: 20, scale: 8, default: 0, transformer: asNumber });

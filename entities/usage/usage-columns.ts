import { Column } from 'typeorm';

const asNumber = {
  to: (value: number) => value,
  from: (value: string) => Number(value),
};

/** An integer of 64 bits, 0 at first; exact up to 2^53. */
export const Int64 = (name: string) => Column({ name, type: 'bigint', default: 0, transformer: asNumber });

/** US dollars, as `Dollars`, with room for the sum of years. */
export const UsedDollars = (name: string) =>
  Column({ name, type: 'numeric', precision: 20, scale: 8, default: 0, transformer: asNumber });

import { Column, ForeignKey, PrimaryColumn, type ColumnOptions } from 'typeorm';

/** Declares an entity's primary key: a UUIDv7 that the application generates. */
export const Id = (table: string) =>
  PrimaryColumn({ name: 'id', type: 'uuid', primaryKeyConstraintName: `pk_${table}` });

/** Declares a uuid column with a foreign key to another table's id. */
export function Reference(
  table: string,
  column: string,
  target: () => new () => object,
  options: { nullable?: boolean; onDelete?: 'CASCADE' | 'SET NULL' | 'RESTRICT' } = {},
): PropertyDecorator {
  return (object, property) => {
    Column({ name: column, type: 'uuid', nullable: options.nullable ?? false })(object, property);
    ForeignKey(target, 'id', {
      name: `fk_${table}_${column}`,
      onDelete: options.onDelete ?? 'CASCADE',
    })(object, property as string);
  };
}

/**
 * Declares a column with a time in milliseconds, the precision of JavaScript's `Date`. A cursor with such a
 * time therefore identifies the row's position exactly.
 */
export const Timestamp = (name: string, options: ColumnOptions = {}) =>
  Column({ name, type: 'timestamptz', precision: 3, ...options });

export const CreatedAt = () => Timestamp('created_at', { default: () => 'now()' });
export const UpdatedAt = () => Timestamp('updated_at', { default: () => 'now()' });

export const Text = (name: string, options: ColumnOptions = {}) => Column({ name, type: 'text', ...options });
export const NullableText = (name: string) => Column({ name, type: 'text', nullable: true });
export const Integer = (name: string, options: ColumnOptions = {}) =>
  Column({ name, type: 'integer', ...options });
export const Counter = (name: string) => Column({ name, type: 'integer', default: 0 });
export const Flag = (name: string, initially = false) =>
  Column({ name, type: 'boolean', default: initially });
export const Json = (name: string, options: ColumnOptions = {}) =>
  Column({ name, type: 'jsonb', ...options });
export const TextArray = (name: string, options: ColumnOptions = {}) =>
  Column({ name, type: 'text', array: true, ...options });

/**
 * Declares a column with the id of a visitor's browser. The browser authenticates with a secret; a visitor
 * without the secret gets a new id.
 */
export const BrowserId = () => Column({ name: 'browser_id', type: 'uuid' });

/** Declares a column with an amount in US dollars with eight decimal places. */
export const Dollars = (name: string, options: ColumnOptions = {}) =>
  Column({
    name,
    type: 'numeric',
    precision: 16,
    scale: 8,
    transformer: {
      to: (value: number | null) => value,
      from: (value: string | null) => (value === null ? null : Number(value)),
    },
    ...options,
  });

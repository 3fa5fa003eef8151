/** Conversion between a value of the API and the value of an input. */
export interface FormField<Value, Held extends string | boolean> {
  show(value: Value): Held;
  read(held: Held): Value;
}

export const text: FormField<string, string> = { show: (value) => value, read: (held) => held };

/** Optional text: an empty input becomes null. */
export const optionalText: FormField<string | null, string> = {
  show: (value) => value ?? '',
  read: (held) => held || null,
};

/** Number. Invalid text becomes NaN, for which the API returns an error that names the field. */
export const number: FormField<number, string> = { show: String, read: Number };

export const optionalNumber: FormField<number | null, string> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (held) => (held === '' ? null : Number(held)),
};

export const flag: FormField<boolean, boolean> = { show: (value) => value, read: (held) => held };

/** List of strings: one item per line, without empty lines. */
export const lines: FormField<string[], string> = {
  show: (value) => value.join('\n'),
  read: (held) =>
    held
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
};

/** Converts between a value of the API and the value in a form. */
export interface FormField<Value, Held extends string | boolean> {
  show(value: Value): Held;
  read(held: Held): Value;
}

export const text: FormField<string, string> = { show: (value) => value, read: (held) => held };

/** Empty text becomes null. */
export const optionalText: FormField<string | null, string> = {
  show: (value) => value ?? '',
  read: (held) => held || null,
};

/** Invalid text becomes NaN, which the API rejects with the field's name. */
export const number: FormField<number, string> = { show: String, read: Number };

export const optionalNumber: FormField<number | null, string> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (held) => (held === '' ? null : Number(held)),
};

export const flag: FormField<boolean, boolean> = { show: (value) => value, read: (held) => held };

/** Items, one per line; empty lines are dropped. */
export const lines: FormField<string[], string> = {
  show: (value) => value.join('\n'),
  read: (held) =>
    held
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
};

/** How a form holds a value of the API, and what is sent of what it holds. */
export interface FormField<Value, Held extends string | boolean> {
  show(value: Value): Held;
  read(held: Held): Value;
}

export const text: FormField<string, string> = { show: (value) => value, read: (held) => held };

/** Nothing is null. */
export const optionalText: FormField<string | null, string> = {
  show: (value) => value ?? '',
  read: (held) => held || null,
};

/** What is no number is sent as it is read, for the API to name it. */
export const number: FormField<number, string> = { show: String, read: Number };

export const optionalNumber: FormField<number | null, string> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (held) => (held === '' ? null : Number(held)),
};

export const flag: FormField<boolean, boolean> = { show: (value) => value, read: (held) => held };

/** One a line; those that are empty are left out. */
export const lines: FormField<string[], string> = {
  show: (value) => value.join('\n'),
  read: (held) =>
    held
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
};

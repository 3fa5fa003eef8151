/** Conversion between a value of the API and the value of an input. */
export interface FormField<Value, Input extends string | boolean> {
  show(value: Value): Input;
  read(input: Input): Value;
}

export const text: FormField<string, string> = { show: (value) => value, read: (input) => input };

/** Form field for an optional text: an empty input becomes null. */
export const optionalText: FormField<string | null, string> = {
  show: (value) => value ?? '',
  read: (input) => input || null,
};

/**
 * Form field for a number. Invalid text becomes NaN, for which the API returns an error that names the field.
 */
export const number: FormField<number, string> = { show: String, read: Number };

export const optionalNumber: FormField<number | null, string> = {
  show: (value) => (value === null ? '' : String(value)),
  read: (input) => (input === '' ? null : Number(input)),
};

export const flag: FormField<boolean, boolean> = { show: (value) => value, read: (input) => input };

/** Form field for a list of strings: one item per line, without empty lines. */
export const lines: FormField<string[], string> = {
  show: (value) => value.join('\n'),
  read: (input) =>
    input
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
};

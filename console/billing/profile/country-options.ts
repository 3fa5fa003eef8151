import { countryCodes } from '../../../core/contacts/countries.ts';

/** Countries by their names in English. */
export function countryOptions(): (readonly [string, string])[] {
  const names = new Intl.DisplayNames('en-GB', { type: 'region' });
  const countries = countryCodes.map((code) => [code, names.of(code) ?? code] as const);
  return [['', 'None'], ...countries.toSorted(([, a], [, b]) => a.localeCompare(b))];
}

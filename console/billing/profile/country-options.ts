import { countryCodes } from '../../../core/contacts/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region' });

export function countryName(code: string): string {
  return code === '' ? '' : (names.of(code) ?? code);
}

/** Returns all countries, sorted by their English names. */
export function countryOptions(): (readonly [string, string])[] {
  const countries = countryCodes.map((code) => [code, countryName(code)] as const);
  return [['', 'None'], ...countries.toSorted(([, a], [, b]) => a.localeCompare(b))];
}

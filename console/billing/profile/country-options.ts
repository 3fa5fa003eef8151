import { countryCodes } from '../../../core/contacts/countries.ts';

const names = new Intl.DisplayNames('en-GB', { type: 'region' });

export function getCountryName(code: string): string {
  return code === '' ? '' : (names.of(code) ?? code);
}

/** Returns all countries that a billing address can have, sorted by their English names. */
export function listCountryOptions(): (readonly [string, string])[] {
  const countries = countryCodes.map((code) => [code, getCountryName(code)] as const);
  return [['', 'None'], ...countries.toSorted(([, a], [, b]) => a.localeCompare(b))];
}

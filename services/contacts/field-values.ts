import { contactLimits, PHONE_PATTERN } from '../../core/contacts/contact-details.ts';

export type FieldType = 'text' | 'email' | 'phone' | 'select' | 'number';
export type FieldValue = string | number;
export type TypedField = { key: string; type: FieldType };

export const MAX_TEXT_LENGTH = 1000;

export const PHONE = new RegExp(PHONE_PATTERN, 'u');

/** A field that is called email or phone is one, although its type was left at text. */
export function kindOf({ key, type }: TypedField): FieldType {
  return type === 'text' && (key === 'email' || key === 'phone') ? key : type;
}

/** Longest value of a field, in UTF-16 code units. */
export function limitOf(field: TypedField): number {
  const detail = field.key === 'name' ? 'name' : kindOf(field);
  return detail in contactLimits ? contactLimits[detail as keyof typeof contactLimits] : MAX_TEXT_LENGTH;
}

/** The detail of a contact that a field asks for: of several e-mail fields the one of that name, or else the first. */
export function detailOf(field: TypedField, fields: TypedField[]): 'name' | 'email' | 'phone' | null {
  const kind = kindOf(field);
  if (kind === 'text' && field.key === 'name') return 'name';
  if (kind !== 'email' && kind !== 'phone') return null;
  const alike = fields.filter((each) => kindOf(each) === kind);
  const chosen = alike.find(({ key }) => key === kind) ?? alike[0];
  return chosen === field ? kind : null;
}

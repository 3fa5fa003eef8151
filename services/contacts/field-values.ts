import { contactLimits, PHONE_PATTERN } from '../../core/contacts/contact-details.ts';

export type FieldType = 'text' | 'email' | 'phone' | 'select' | 'number';
export type FieldValue = string | number;
export type TypedField = { key: string; type: FieldType };

export const MAX_TEXT_LENGTH = 1000;

export const PHONE = new RegExp(PHONE_PATTERN, 'u');

/**
 * Returns the type of a field in a lead form or of a contact. A text field whose key is `email` or `phone`
 * has the type `email` or `phone`.
 */
export function resolveFieldType({ key, type }: TypedField): FieldType {
  return type === 'text' && (key === 'email' || key === 'phone') ? key : type;
}

/** Returns the maximum length of the value in a field of a lead form or contact, in UTF-16 code units. */
export function getFieldLimit(field: TypedField): number {
  const detail = field.key === 'name' ? 'name' : resolveFieldType(field);
  return detail in contactLimits ? contactLimits[detail as keyof typeof contactLimits] : MAX_TEXT_LENGTH;
}

/**
 * Returns the contact detail that a field of a lead form or contact fills; null if it fills none. Of several
 * email fields, the field with the key `email` counts, or else the first. The same applies to phone fields.
 */
export function getFieldDetail(field: TypedField, fields: TypedField[]): 'name' | 'email' | 'phone' | null {
  const kind = resolveFieldType(field);
  if (kind === 'text' && field.key === 'name') return 'name';
  if (kind !== 'email' && kind !== 'phone') return null;
  const alike = fields.filter((each) => resolveFieldType(each) === kind);
  const winningField = alike.find(({ key }) => key === kind) ?? alike[0];
  return winningField === field ? kind : null;
}

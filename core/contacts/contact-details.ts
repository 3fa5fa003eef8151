/**
 * Pattern of an email address in the OpenAPI document. `isEmailAddress` also limits the length of its parts.
 */
export const EMAIL_PATTERN = '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$';

/** Pattern of a phone number: at least five digits, with common separators between them. */
export const PHONE_PATTERN = '^(?=(\\D*\\d){5})\\+?[0-9 ()./-]{5,32}$';

/** Maximum lengths of a contact's fields, in characters. */
export const contactLimits = { name: 200, email: 254, phone: 33 } as const;

/** Details of a contact that Parley copies from conversations, unless the team has removed them. */
export const learnedDetails = ['name', 'email', 'phone'] as const;

/** Maximum size in bytes of all custom fields of a contact together, as JSON. */
export const MAX_CUSTOM_FIELDS_BYTES = 20_000;

/** What the API's description says of an address of a contact; `isEmailAddress` bounds its parts besides. */
export const EMAIL_PATTERN = '^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)+$';

/** At least five digits, with the marks that people put between them. */
export const PHONE_PATTERN = '^(?=(\\D*\\d){5})\\+?[0-9 ()./-]{5,32}$';

/** Characters at most. */
export const contactLimits = { name: 200, email: 254, phone: 33 } as const;

/** Of all custom fields of a contact together, as JSON. */
export const MAX_CUSTOM_FIELDS_BYTES = 20_000;

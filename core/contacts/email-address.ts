import { domainToASCII } from 'node:url';

/** Limits of RFC 5321 and RFC 1035, in octets. */
const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_BYTES = 253;
const MAX_LABEL_BYTES = 63;

/** Matches a local part, one @, and a domain of at least two labels, in linear time. */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63})+$/u;
/** Unquoted local part and domain of RFC 5321. */
const ASCII_EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

/** Returns whether mail can be sent to the address. Letters beyond ASCII are accepted, since contacts have them. */
export function isEmailAddress(text: string): boolean {
  if (!EMAIL.test(text)) return false;
  const at = text.indexOf('@');
  return Buffer.byteLength(text.slice(0, at)) <= MAX_LOCAL_BYTES && isMailDomain(text.slice(at + 1));
}

/** Accepts ASCII letters only: JSON Schema's format `email`. */
export function isAsciiEmailAddress(text: string): boolean {
  return isEmailAddress(text) && ASCII_EMAIL.test(text);
}

/** Counts labels as DNS carries them, in Punycode. */
function isMailDomain(domain: string): boolean {
  const ascii = domainToASCII(domain);
  return (
    ascii !== '' &&
    ascii.length <= MAX_DOMAIN_BYTES &&
    ascii.split('.').every(({ length }) => length > 0 && length <= MAX_LABEL_BYTES)
  );
}

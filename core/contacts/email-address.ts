import { domainToASCII } from 'node:url';

/** Maximum lengths of the parts of an email address, in octets (RFC 5321 and RFC 1035). */
const MAX_LOCAL_BYTES = 64;
const MAX_DOMAIN_BYTES = 253;
const MAX_LABEL_BYTES = 63;

/**
 * Matches an email address: a local part, an @, and a domain of at least two labels. Takes linear time for any
 * text.
 */
const EMAIL = /^[^\s@]{1,64}@[^\s@.]{1,63}(\.[^\s@.]{1,63})+$/u;
/** Matches an email address in ASCII with an unquoted local part (RFC 5321). */
const ASCII_EMAIL =
  /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])?$/i;

/**
 * Returns whether a text is an email address. Accepts non-ASCII letters, since addresses of contacts may
 * contain them.
 */
export function isEmailAddress(text: string): boolean {
  if (!EMAIL.test(text)) return false;
  const at = text.indexOf('@');
  return Buffer.byteLength(text.slice(0, at)) <= MAX_LOCAL_BYTES && isMailDomain(text.slice(at + 1));
}

/** Returns whether a text is an email address in ASCII: the format `email` of JSON Schema. */
export function isAsciiEmailAddress(text: string): boolean {
  return isEmailAddress(text) && ASCII_EMAIL.test(text);
}

/** Checks the lengths of an email address's domain in Punycode, the form in which DNS stores it. */
function isMailDomain(domain: string): boolean {
  const ascii = domainToASCII(domain);
  return (
    ascii !== '' &&
    ascii.length <= MAX_DOMAIN_BYTES &&
    ascii.split('.').every(({ length }) => length > 0 && length <= MAX_LABEL_BYTES)
  );
}

import { domainToASCII } from 'node:url';

/** Domains of Gmail, which ignores dots before the @ of an email address. */
const DOTLESS_DOMAINS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * Normalizes an email address for rate limits: different spellings of the same mailbox become equal. Do not
 * send email to the result.
 */
export function normalizeMailbox(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const ascii = domainToASCII(domain) || domain;
  const [local = ''] = address.slice(0, at).toLowerCase().split('+');
  return DOTLESS_DOMAINS.has(ascii) ? `${local.replaceAll('.', '')}@gmail.com` : `${local}@${ascii}`;
}

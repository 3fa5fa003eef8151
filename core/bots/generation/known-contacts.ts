import type { GenerationInput, SiteDigest } from './blueprint.ts';

const MARKDOWN_LINK = /!?\[([^\]]{0,300})\]\(([^)]{0,2000})\)/g;
/**
 * Matches links with a scheme. Browsers accept any number of slashes after `https:`, and an IPv6 address in
 * brackets as a host.
 */
const SCHEME =
  /(?<![\p{L}\p{N}])(?:https?:[/\\]{0,3}|[a-z][a-z0-9+.-]{1,15}:\/\/|[/\\]{2}|www\.|(?:javascript|data|vbscript|mailto|tel|sms):)(?:\[[\da-f:.]{2,50}\])?[^\s"'‹›()[\]]+/giu;
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}/gu;
/**
 * Matches a dot in the host of a link. Browsers also accept four other characters as dots. An ideographic
 * full stop counts only between Latin letters, since it normally ends a sentence.
 */
const DOT = String.raw`(?:[.․．｡]|(?<=[a-z\d-])。(?=[a-z\d-]))`;
const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`;
const REST = String.raw`(?::\d{1,5})?(?:[/?#][^\s"'‹›()[\]]*)?(?![\p{L}\p{N}@-])`;
const COUNTRIES_AND_GROUPS = [
  '(?!js)[a-z]{2}|com|net|org|info|biz|app|dev|shop|store|online|site|xyz|top|club|live|link|click|example|test|invalid|xn--[a-z0-9-]{1,59}',
  'рф|рус|бел|укр|срб|бг|мкд|қаз|мон|онлайн|сайт|москва|дети|орг|ком|ελ|ευ|中国|中國|香港|台湾|台灣|公司|网络|网址|网站|在线|商城|みんな|コム|한국|닷컴|भारत|ไทย',
].join('|');
/**
 * Matches domains without a scheme such as `https:` that end in a common top-level domain, in lower or upper
 * case.
 */
const DOMAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@./-])(?:${LABEL}${DOT}){1,5}(?:${COUNTRIES_AND_GROUPS})${REST}`,
  'giu',
);
/**
 * Matches domains with any other ending, in letters of one case only, since “one.Two” is the end of one
 * sentence and the start of another.
 */
const FILE_ENDINGS = 'pdf|html?|txt|json|xml|csv|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|css|mjs|exe';
const OTHER_DOMAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@./-])(?:${LABEL}${DOT}){1,5}(?:(?!(?:${FILE_ENDINGS})(?![a-z]))[a-z]{3,24}|[A-Z]{3,24})${REST}`,
  'gu',
);
const PHONE =
  /(?<![\p{L}\p{Nd}])[+(]?\p{Nd}(?:(?:[ ()./_*·•‐‑‒–—-]|,(?! )){0,3}\p{Nd}){6,14}(?![\p{L}\p{Nd}])/gu;
/**
 * Matches numbers that are not phone numbers: dates, ranges of years, and numbers with groups of digits up to
 * millions.
 */
const NOT_PHONE =
  /^(?:(?:1\d|2[01])\d{2}[ ./-]{1,3}(?:1\d|2[01])\d{2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:[., ]\d{3}){2}|\d{3}(?:,\d{3}){2})$/;
const MIN_DIGITS = 7;
const MAX_ROUNDS = 6;
const END_MARKS = /(?<![.,;:!?…])[.,;:!?…]+$/;
/**
 * Matches invisible characters next to ASCII, which browsers ignore in a host. Next to other letters, these
 * characters are a normal part of a script or an emoji.
 */
const INVISIBLE_NEXT_TO_ASCII = /(?<=[\x21-\x7e])\p{DI}+|(?<!\p{DI})\p{DI}+(?=[\x21-\x7e])/gu;

/**
 * Links, email addresses and phone numbers that a generated text may contain: the links, addresses and
 * numbers on the website, and those that the owner has entered.
 */
export class KnownContacts {
  readonly #hosts = new Set<string>();
  readonly #emails = new Set<string>();
  readonly #phones: string[];

  constructor({ description, websiteUrl }: GenerationInput, site: SiteDigest | null) {
    if (websiteUrl !== null) this.#addHost(websiteUrl);
    if (site) this.#addHost(`https://${site.host}`);
    for (const [link] of description.matchAll(SCHEME)) this.#addHost(link);
    for (const domain of [DOMAIN, OTHER_DOMAIN])
      for (const [link] of description.matchAll(domain)) this.#addHost(link);
    for (const [mail] of description.matchAll(MAIL)) this.#emails.add(mail.toLowerCase());
    for (const mail of site?.mails ?? []) this.#emails.add(mail.toLowerCase());
    this.#phones = [...(description.match(PHONE) ?? []), ...(site?.phones ?? [])].map(nationalDigits);
  }

  /**
   * Removes links, email addresses and phone numbers that are not known. Repeats the removal, since the
   * remaining text may form a new address. Returns an empty string after `MAX_ROUNDS`, which only a malicious
   * text reaches.
   */
  clean(text: string): string {
    let cleaned = text;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = this.#removeUnknown(cleaned);
      if (next === cleaned) return cleaned;
      cleaned = next;
    }
    return '';
  }

  #removeUnknown(text: string): string {
    const cleaned = text
      .replace(INVISIBLE_NEXT_TO_ASCII, '')
      .replace(MARKDOWN_LINK, (link, label: string, target: string) => (this.hasLink(target) ? link : label))
      .replace(SCHEME, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(MAIL, (mail) => (this.#hasEmail(mail) ? mail : ''))
      .replace(DOMAIN, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(OTHER_DOMAIN, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(PHONE, (phone) => (NOT_PHONE.test(asciiNumber(phone)) || this.#hasPhone(phone) ? phone : ''));
    return cleaned === text ? text : tidySpaces(cleaned);
  }

  /** Returns whether a link leads to the business's website, or to an address that the owner has entered. */
  hasLink(link: string): boolean {
    const [, scheme = '', rest = ''] = /^(mailto|tel):(.*)$/i.exec(link) ?? [];
    // Reject email links with a query, which could add other recipients.
    if (scheme.toLowerCase() === 'mailto') return !rest.includes('?') && this.#hasEmail(rest);
    if (scheme !== '') return this.#hasPhone(rest);
    const url = parseUrl(link);
    if (!url || url.username !== '' || url.password !== '') return false;
    const host = removeWww(url.host);
    return [...this.#hosts].some((known) => host === known || host.endsWith(`.${known}`));
  }

  #addHost(link: string): void {
    const url = parseUrl(link);
    if (url) this.#hosts.add(removeWww(url.host));
  }

  #hasEmail(mail: string): boolean {
    const address = mail.toLowerCase();
    return this.#emails.has(address) || this.#hosts.has(removeWww(address.split('@').at(-1)!));
  }

  #hasPhone(phone: string): boolean {
    const digits = nationalDigits(phone);
    if (digits.length < MIN_DIGITS) return false;
    return this.#phones.some(
      (known) => known.length >= MIN_DIGITS && (known.endsWith(digits) || digits.endsWith(known)),
    );
  }
}

function parseUrl(link: string): URL | null {
  const text = link.trim().replace(END_MARKS, '');
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? url : null;
}

/** Returns the punctuation at the end of a link, which belongs to the sentence around it. */
const findEndMarks = (link: string) => END_MARKS.exec(link)?.[0] ?? '';
const removeWww = (host: string) => host.toLowerCase().replace(/^www\./, '');
/** Returns the digits of a phone number without leading zeros, to compare phone numbers. */
const nationalDigits = (phone: string) => asciiNumber(phone).replace(/\D/g, '').replace(/^0+/, '');
/** Converts the digits and dashes of a phone number to ASCII. */
const asciiNumber = (phone: string) =>
  phone.replace(/[‐‑‒–—]/g, '-').replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)));

/** Returns the value of a digit in any script. Each script has its ten digits at consecutive code points. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return value;
}

function tidySpaces(text: string): string {
  return text
    .replace(/\(\s*\)|\[\s*\]|‹\s*›/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim();
}

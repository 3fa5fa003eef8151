import type { GenerationInput, SiteDigest } from './blueprint.ts';

const MARKDOWN_LINK = /!?\[([^\]]{0,300})\]\(([^)]{0,2000})\)/g;
/** Browsers accept any number of slashes after `https:`, and a host may be an IPv6 address in brackets. */
const SCHEME =
  /(?<![\p{L}\p{N}])(?:https?:[/\\]{0,3}|[a-z][a-z0-9+.-]{1,15}:\/\/|[/\\]{2}|www\.|(?:javascript|data|vbscript|mailto|tel|sms):)(?:\[[\da-f:.]{2,50}\])?[^\s"'‹›()[\]]+/giu;
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}/gu;
/**
 * Browsers read the last four as dots, too. An ideographic full stop ends a sentence unless Latin letters surround it.
 */
const DOT = String.raw`(?:[.․．｡]|(?<=[a-z\d-])。(?=[a-z\d-]))`;
const LABEL = String.raw`[\p{L}\p{N}][\p{L}\p{N}-]{0,62}`;
const REST = String.raw`(?::\d{1,5})?(?:[/?#][^\s"'‹›()[\]]*)?(?![\p{L}\p{N}@-])`;
const COUNTRIES_AND_GROUPS = [
  '(?!js)[a-z]{2}|com|net|org|info|biz|app|dev|shop|store|online|site|xyz|top|club|live|link|click|example|test|invalid|xn--[a-z0-9-]{1,59}',
  'рф|рус|бел|укр|срб|бг|мкд|қаз|мон|онлайн|сайт|москва|дети|орг|ком|ελ|ευ|中国|中國|香港|台湾|台灣|公司|网络|网址|网站|在线|商城|みんな|コム|한국|닷컴|भारत|ไทย',
].join('|');
/** Matches domains without a scheme: common endings, in upper or lower case. */
const DOMAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@./-])(?:${LABEL}${DOT}){1,5}(?:${COUNTRIES_AND_GROUPS})${REST}`,
  'giu',
);
/** Matches other endings, in letters of one case: “one.Two” is two sentences. */
const FILE_ENDINGS = 'pdf|html?|txt|json|xml|csv|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|webp|css|mjs|exe';
const OTHER_DOMAIN = new RegExp(
  String.raw`(?<![\p{L}\p{N}@./-])(?:${LABEL}${DOT}){1,5}(?:(?!(?:${FILE_ENDINGS})(?![a-z]))[a-z]{3,24}|[A-Z]{3,24})${REST}`,
  'gu',
);
const PHONE =
  /(?<![\p{L}\p{Nd}])[+(]?\p{Nd}(?:(?:[ ()./_*·•‐‑‒–—-]|,(?! )){0,3}\p{Nd}){6,14}(?![\p{L}\p{Nd}])/gu;
/** Dates, ranges of years, millions. Longer grouped numbers have the format of phone numbers. */
const NO_PHONE =
  /^(?:(?:1\d|2[01])\d{2}[ ./-]{1,3}(?:1\d|2[01])\d{2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:[., ]\d{3}){2}|\d{3}(?:,\d{3}){2})$/;
const MIN_DIGITS = 7;
const MAX_ROUNDS = 6;
const END_MARKS = /(?<![.,;:!?…])[.,;:!?…]+$/;
/**
 * Invisible characters, which browsers drop from a host; beside other letters they belong to a script or an
 * emoji.
 */
const UNSEEN_BESIDE_ASCII = /(?<=[\x21-\x7e])\p{DI}+|(?<!\p{DI})\p{DI}+(?=[\x21-\x7e])/gu;

/** The links, mail addresses and phone numbers of a business, including those that its owner has named. */
export class KnownContacts {
  readonly #hosts = new Set<string>();
  readonly #mails = new Set<string>();
  readonly #phones: string[];

  constructor({ description, websiteUrl }: GenerationInput, site: SiteDigest | null) {
    if (websiteUrl !== null) this.#addHost(websiteUrl);
    if (site) this.#addHost(`https://${site.host}`);
    for (const [link] of description.matchAll(SCHEME)) this.#addHost(link);
    for (const domain of [DOMAIN, OTHER_DOMAIN])
      for (const [link] of description.matchAll(domain)) this.#addHost(link);
    for (const [mail] of description.matchAll(MAIL)) this.#mails.add(mail.toLowerCase());
    for (const mail of site?.mails ?? []) this.#mails.add(mail.toLowerCase());
    this.#phones = [...(description.match(PHONE) ?? []), ...(site?.phones ?? [])].map(nationalDigits);
  }

  /**
   * Removes the links, mail addresses and phone numbers of others. What remains may form another one, so it is cleaned
   * until nothing changes. Returns an empty text after `MAX_ROUNDS`: only a text made for it needs more.
   */
  clean(text: string): string {
    let cleaned = text;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      const next = this.#removeForeign(cleaned);
      if (next === cleaned) return cleaned;
      cleaned = next;
    }
    return '';
  }

  #removeForeign(text: string): string {
    const cleaned = text
      .replace(UNSEEN_BESIDE_ASCII, '')
      .replace(MARKDOWN_LINK, (link, label: string, target: string) => (this.hasLink(target) ? link : label))
      .replace(SCHEME, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(MAIL, (mail) => (this.#hasMail(mail) ? mail : ''))
      .replace(DOMAIN, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(OTHER_DOMAIN, (link) => (this.hasLink(link) ? link : findEndMarks(link)))
      .replace(PHONE, (phone) => (NO_PHONE.test(asciiNumber(phone)) || this.#hasPhone(phone) ? phone : ''));
    return cleaned === text ? text : tidySpaces(cleaned);
  }

  /** Returns whether a link leads to the business's site, or to a site that its owner has named. */
  hasLink(link: string): boolean {
    const [, scheme = '', rest = ''] = /^(mailto|tel):(.*)$/i.exec(link) ?? [];
    // A query would copy the mail to others.
    if (scheme.toLowerCase() === 'mailto') return !rest.includes('?') && this.#hasMail(rest);
    if (scheme !== '') return this.#hasPhone(rest);
    const url = parseUrl(link);
    if (!url || url.username !== '' || url.password !== '') return false;
    const host = bare(url.host);
    return [...this.#hosts].some((known) => host === known || host.endsWith(`.${known}`));
  }

  #addHost(link: string): void {
    const url = parseUrl(link);
    if (url) this.#hosts.add(bare(url.host));
  }

  #hasMail(mail: string): boolean {
    const address = mail.toLowerCase();
    return this.#mails.has(address) || this.#hosts.has(bare(address.split('@').at(-1)!));
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

/** The sentence continues after a link. */
const findEndMarks = (link: string) => END_MARKS.exec(link)?.[0] ?? '';
const bare = (host: string) => host.toLowerCase().replace(/^www\./, '');
/** Returns digits as dialled within a country: without the country or trunk prefix. */
const nationalDigits = (phone: string) => asciiNumber(phone).replace(/\D/g, '').replace(/^0+/, '');
/** Converts digits and dashes to ASCII. */
const asciiNumber = (phone: string) =>
  phone.replace(/[‐‑‒–—]/g, '-').replace(/(?!\d)\p{Nd}/gu, (digit) => String(digitValue(digit)));

/** The ten digits of a script have consecutive code points. */
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

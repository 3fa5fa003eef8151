import type { GenerationInput, SiteDigest } from './blueprint.ts';

const MARKDOWN_LINK = /!?\[([^\]]{0,300})\]\(([^)]{0,2000})\)/g;
const SCHEME =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]{1,15}:\/\/|[/\\]{2}|www\.|(?:javascript|data|vbscript|mailto|tel|sms):)[^\s"'‹›()[\]]+/giu;
const MAIL = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,7}/gu;
/** Without a scheme: only what ends as domains of the web usually do. */
const DOMAIN =
  /(?<![\p{L}\p{N}@./-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.){1,5}(?:(?!js)[a-z]{2}|com|net|org|info|biz|app|dev|shop|store|online|site|xyz|top|club|live|link|click|example|test|invalid)(?::\d{1,5})?(?:[/?#][^\s"'‹›()[\]]*)?(?![\p{L}\p{N}@-])/giu;
const PHONE = /(?<![\p{L}\p{N}])[+(]?\d(?:[ ()./-]{0,3}\d){6,14}(?![\p{L}\p{N}])/gu;
/** Dates, ranges of years, millions: longer numbers in groups of three are written as phone numbers are. */
const NO_PHONE =
  /^(?:(?:1\d|2[01])\d{2}[ ./-]{1,3}(?:1\d|2[01])\d{2}|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d{1,2}(?:[., ]\d{3}){2})$/;
const LEAST_DIGITS = 7;
const END_MARKS = /[.,;:!?…]+$/;

/** The links, mail addresses and phone numbers that are a business's own, or that its owner has named. */
export class KnownContacts {
  readonly #hosts = new Set<string>();
  readonly #mails = new Set<string>();
  readonly #phones: string[];

  constructor({ description, websiteUrl }: GenerationInput, site: SiteDigest | null) {
    if (websiteUrl !== null) this.#addHost(websiteUrl);
    if (site) this.#addHost(`https://${site.host}`);
    for (const [link] of description.matchAll(SCHEME)) this.#addHost(link);
    for (const [link] of description.matchAll(DOMAIN)) this.#addHost(link);
    for (const [mail] of description.matchAll(MAIL)) this.#mails.add(mail.toLowerCase());
    for (const mail of site?.mails ?? []) this.#mails.add(mail.toLowerCase());
    this.#phones = [...(description.match(PHONE) ?? []), ...(site?.phones ?? [])].map(digitsOf);
  }

  /** The text without links, addresses and numbers of others. */
  clean(text: string): string {
    const cleaned = text
      .replace(MARKDOWN_LINK, (link, label: string, target: string) => (this.hasLink(target) ? link : label))
      .replace(SCHEME, (link) => (this.hasLink(link) ? link : endOf(link)))
      .replace(MAIL, (mail) => (this.#hasMail(mail) ? mail : ''))
      .replace(DOMAIN, (link) => (this.hasLink(link) ? link : endOf(link)))
      .replace(PHONE, (phone) => (NO_PHONE.test(phone) || this.#hasPhone(phone) ? phone : ''));
    return cleaned === text ? text : tidied(cleaned);
  }

  /** Whether it leads to the business's site, or where its owner has named. */
  hasLink(link: string): boolean {
    const [, scheme = '', rest = ''] = /^(mailto|tel):(.*)$/i.exec(link) ?? [];
    if (scheme.toLowerCase() === 'mailto') return this.#hasMail(rest.split('?', 1)[0]!);
    if (scheme !== '') return this.#hasPhone(rest);
    const url = urlOf(link);
    if (!url || url.username !== '' || url.password !== '') return false;
    const host = bare(url.host);
    return [...this.#hosts].some((known) => host === known || host.endsWith(`.${known}`));
  }

  #addHost(link: string): void {
    const url = urlOf(link);
    if (url) this.#hosts.add(bare(url.host));
  }

  #hasMail(mail: string): boolean {
    const address = mail.toLowerCase();
    return this.#mails.has(address) || this.#hosts.has(bare(address.split('@').at(-1)!));
  }

  #hasPhone(phone: string): boolean {
    const digits = digitsOf(phone);
    if (digits.length < LEAST_DIGITS) return false;
    return this.#phones.some(
      (known) => known.length >= LEAST_DIGITS && (known.endsWith(digits) || digits.endsWith(known)),
    );
  }
}

function urlOf(link: string): URL | null {
  const text = link.trim().replace(END_MARKS, '');
  const address = /^[a-z][a-z0-9+.-]*:/i.test(text) && !/^[^/]+:\d/.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return /^https?:$/.test(url.protocol) ? url : null;
}

/** The sentence goes on behind a link. */
const endOf = (link: string) => END_MARKS.exec(link)?.[0] ?? '';
const bare = (host: string) => host.toLowerCase().replace(/^www\./, '');
/** As it is dialled within a country: without the prefix of the country or of the trunk. */
const digitsOf = (phone: string) => phone.replace(/\D/g, '').replace(/^0+/, '');

function tidied(text: string): string {
  return text
    .replace(/\(\s*\)|\[\s*\]|‹\s*›/g, '')
    .replace(/\s+/g, ' ')
    .replace(/\s+([.,;:!?])/g, '$1')
    .trim();
}

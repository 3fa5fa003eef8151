import { createHash } from 'node:crypto';
import { cutText } from '../text/cut-text.ts';

const LONGEST = 200;
const MOST_ITEMS = 20;
const MASK = '…';

/** Texts that are documents or conversations; what they say is nobody's business who reads the log. */
const WHOLE_TEXTS: ReadonlySet<string> = new Set(['text', 'history']);
const NAMES = 'password|passwd|secret|token|api[_-]?key|authorization|credential';
const SECRET_NAME = new RegExp(NAMES, 'i');
/** As in `password=x`, `"client_secret": "x y"` and `Authorization: Basic x`. */
const NAMED_SECRET = new RegExp(
  String.raw`(?<=(?:${NAMES})\w{0,20}["']?\s{0,3}[:=]\s{0,3})(?:"[^"]*"|'[^']*'|(?:(?:Basic|Bearer|Token)\s+)?\S+)`,
  'gi',
);
/** What an address asks for may be what lets its reader in. */
const QUERY_VALUE = /(?<=[?&#][^\s=?&#]{1,100}=)[^\s&#]+/g;
const SECRETS: readonly RegExp[] = [
  /\bBearer\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|whsec|gh[pousr]|github_pat|glpat|AIza|xox[abprs]|hvs|AKIA)[-_]?[A-Za-z0-9_.-]{12,}/g,
  /\bparley_live_[A-Za-z0-9]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g,
  QUERY_VALUE,
  NAMED_SECRET,
];

/**
 * What the log keeps of a tool's arguments: short texts without secrets, addresses and numbers; of whole texts their length and
 * the beginning of their SHA-256.
 * @param withoutDetails takes e-mail addresses and phone numbers out of a text
 */
export function redactedArguments(
  given: Readonly<Record<string, unknown>>,
  withoutDetails: (text: string) => string,
): Record<string, unknown> {
  const redacted = (name: string, value: unknown): unknown => {
    if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'number')
      return value;
    if (SECRET_NAME.test(name)) return MASK;
    if (WHOLE_TEXTS.has(name)) return measured(value);
    if (typeof value === 'string')
      return cutText(withoutDetails(withoutSecrets(value.slice(0, 4 * LONGEST))), LONGEST);
    if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((each) => redacted(name, each));
    return measured(value);
  };
  return Object.fromEntries(
    Object.entries(given)
      .slice(0, MOST_ITEMS)
      .map(([name, value]) => [cutText(name, LONGEST), redacted(name, value)]),
  );
}

function withoutSecrets(text: string): string {
  return SECRETS.reduce((left, secret) => left.replace(secret, MASK), text);
}

function measured(value: unknown): { length: number; sha256: string } {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { length: text.length, sha256: createHash('sha256').update(text).digest('hex').slice(0, 16) };
}

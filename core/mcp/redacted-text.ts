import { cutText } from '../text/cut-text.ts';
import { toStorableText } from '../text/storable-text.ts';
import { decodeText } from './decode-text.ts';

export const MASK = '…';

/** Number of characters to read for each character of a redacted text, since masking shortens the text. */
const READ_FACTOR = 4;
/** Maximum number of nested base64 encodings that redaction decodes. */
const MAX_NESTING = 3;
/**
 * Maximum number of bytes that redaction decodes in one tool call. Further base64 and hexadecimal runs are
 * masked without decoding.
 */
const MAX_DECODED_BYTES = 12_000;

export const SECRET_NAMES = 'password|passwd|pwd|secret|token|api[_-]?key|authorization|credential';
/** Matches the secret in `password=x`, `"client_secret": "x y"` and `Authorization: Basic x`. */
const NAMED_SECRET = new RegExp(
  String.raw`(?<=(?:${SECRET_NAMES})\w{0,20}["']?\s{0,3}[:=]\s{0,3})(?:"[^"]*"|'[^']*'|(?:(?:Basic|Bearer|Token)\s+)?\S+)`,
  'gi',
);
/** Matches values of URL query parameters, which may be access tokens. */
const QUERY_VALUE = /(?<=[?&#][^\s=?&#]{1,100}=)[^\s&#]+/g;
const SECRETS: readonly RegExp[] = [
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|pk|rk|whsec|idsec|gh[pousr]|github_pat|glpat|AIza|xox[abprs]|hvs|AKIA)[-_]?[A-Za-z0-9_.-]{12,}/g,
  /\bparley_live_[A-Za-z0-9]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=:\/\/)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)/g,
  /(?<=\bhooks\.[a-z.]{1,40}\/\S{0,40})\b[\w-]{8,}/gi,
  QUERY_VALUE,
  NAMED_SECRET,
  // Matches long numbers, which may be phone numbers without a plus sign.
  /(?<![\p{L}\p{Nd}_-])\p{Nd}{9,15}(?![\p{L}\p{Nd}_-])/gu,
];

const AT = String.raw`(?:\s{0,3}@\s{0,3}|\s{0,3}[([{]\s{0,3}(?:at|@)\s{0,3}[)\]}]\s{0,3}|\s{1,3}at\s{1,3})`;
const DOT = String.raw`(?:\s{0,3}\.\s{0,3}|\s{0,3}[([{]\s{0,3}(?:dot|\.)\s{0,3}[)\]}]\s{0,3}|\s{1,3}dot\s{1,3})`;
/** Matches email addresses, and also some other texts, because masking too much does not harm a log. */
const ADDRESSES: readonly RegExp[] = [
  /"[^"@]{1,64}"@[^\s<>]{1,255}/g,
  /(?<![^\s<>@,;()[\]{}"])[^\s<>@,;()[\]{}"]+@[\p{L}\p{N}[][^\s<>]{0,254}/gu,
  // Matches addresses disguised from address harvesters: `jane (at) example (dot) com`.
  new RegExp(
    String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+${AT}[\p{L}\p{N}-]{1,63}(?:${DOT}[\p{L}\p{N}-]{1,63}){0,6}${DOT}\p{L}{2,24}(?![\p{L}\p{N}])`,
    'giu',
  ),
];
/** Matches email addresses within decoded bytes whose other parts are not text. */
const PLAIN_ADDRESS = /[\w.%+-]{1,64}@[A-Za-z\d-]{1,63}\.[A-Za-z]{2,}/;

/** Matches characters that occur only if decoded bytes are not text. */
const NOT_TEXT = /\ufffd|(?!\s)\p{Cc}/u;

const BASE64_RUN = /[A-Za-z\d+/_-]{8,}={0,2}/g;
/** Matches base64 that is split into lines, as in emails. */
const SPLIT_BASE64 = /[A-Za-z\d+/_-]{2,}(?:\s{1,4}[A-Za-z\d+/_-]{2,}){1,200}={0,2}/g;
const HEX_RUN = /[\da-f]{2}(?:[\s:]?[\da-f]{2}){5,}/gi;
const BASE64_ALIGNMENTS = [0, 1, 2, 3];

/** Removes email addresses and phone numbers from a text. */
export type RemoveContactDetails = (text: string) => string;

/**
 * Redacts the start of an untrusted text for a log: masks secrets, addresses and numbers. If an encoding
 * hides any of these, returns the decoded text.
 */
export function redactText(
  text: string,
  maxLength: number,
  removeDetails: RemoveContactDetails,
  budget: DecodingBudget = createDecodingBudget(),
): string {
  const beginning = truncate(text, maxLength * READ_FACTOR);
  return cutText(redactDecoded(beginning, { removeDetails, budget, nesting: 0 }), maxLength);
}

/** Number of bytes that redaction may still decode, for all texts of a tool call together. */
export interface DecodingBudget {
  bytes: number;
}

export const createDecodingBudget = (): DecodingBudget => ({ bytes: MAX_DECODED_BYTES });

interface RedactionState {
  removeDetails: RemoveContactDetails;
  budget: DecodingBudget;
  nesting: number;
}

function redactDecoded(text: string, reading: RedactionState): string {
  const decoded = decodeText(text);
  if (decoded === null) return MASK;
  const found = maskAddresses(toStorableText(decoded), reading);
  return found === toStorableText(decoded) ? maskAddresses(toStorableText(text), reading) : found;
}

function maskAddresses(text: string, reading: RedactionState): string {
  const { removeDetails, nesting } = reading;
  const plain = SECRETS.reduce((rest, secret) => rest.replace(secret, MASK), text);
  const masked = ADDRESSES.reduce((rest, address) => rest.replace(address, MASK), removeDetails(plain));
  if (nesting === MAX_NESTING) return masked;
  const hides = (bytes: Buffer) => hidesDetails(bytes, { ...reading, nesting: nesting + 1 });
  return masked
    .replace(HEX_RUN, (run) => (hides(Buffer.from(run.replace(/[\s:]/g, ''), 'hex')) ? MASK : run))
    .replace(SPLIT_BASE64, (run) => {
      const joinedRun = run.replace(/\s/g, '');
      const isAddress = (from: number) =>
        hidesAddress(Buffer.from(joinedRun.slice(from), 'base64'), reading.budget);
      return mayBeBase64(joinedRun) && BASE64_ALIGNMENTS.some(isAddress) ? MASK : run;
    })
    .replace(BASE64_RUN, (run) =>
      mayBeBase64(run) && BASE64_ALIGNMENTS.some((from) => hides(Buffer.from(run.slice(from), 'base64')))
        ? MASK
        : run,
    );
}

/**
 * Returns whether letters of both cases occur in a run of characters, as in nearly all base64. Runs in one
 * case are words.
 */
function mayBeBase64(run: string): boolean {
  return /[a-z]/.test(run) && /[A-Z]/.test(run);
}

function hidesDetails(bytes: Buffer, reading: RedactionState): boolean {
  if (hidesAddress(bytes, reading.budget)) return true;
  const text = bytes.toString('utf8').replaceAll('\u0000', '');
  return !NOT_TEXT.test(text) && redactDecoded(text, reading) !== text;
}

function hidesAddress(bytes: Buffer, budget: DecodingBudget): boolean {
  budget.bytes -= bytes.length;
  return budget.bytes < 0 || PLAIN_ADDRESS.test(bytes.toString('latin1').replaceAll('\u0000', ''));
}

/** Truncates a text at a space, because redaction would not recognize and mask half of an address. */
function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const beginning = cutText(text, maxLength);
  const lastGap = beginning.search(/\s\S*$/);
  return lastGap > 0 ? beginning.slice(0, lastGap) : beginning.slice(0, (maxLength * 3) / 4);
}

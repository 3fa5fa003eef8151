import { decodeText } from './decode-text.ts';
import {
  createDecodingBudget,
  MASK,
  redactText,
  SECRET_NAMES,
  type RemoveContactDetails,
} from './redacted-text.ts';

const MAX_TEXT_LENGTH = 200;
const MAX_ITEMS = 20;
/**
 * Maximum number of characters to redact in the arguments of one tool call, since redaction takes time.
 * Further texts are logged by length and digest only.
 */
const MAX_CHARS = 8000;
/**
 * Numbers in a tool call's arguments below this limit are too short for a phone number, so they are logged.
 */
const MIN_PHONE_NUMBER = 1_000_000;

export interface Redaction {
  removeDetails: RemoveContactDetails;
  /**
   * Computes a keyed digest of an argument, which lets a reader of the log tell texts apart. Without the key,
   * short texts could be guessed from their digests.
   */
  digest: (text: string) => string;
}

/** Arguments of tool calls that contain documents or conversations. Their text is never logged. */
const WHOLE_TEXTS: ReadonlySet<string> = new Set(['text', 'history']);
const SECRET_NAME = new RegExp(SECRET_NAMES, 'i');

/**
 * Redacts the arguments of a tool call for the log. Names and short texts are logged without secrets,
 * addresses and numbers. A long text is logged as its length and the start of its digest.
 */
export function redactArguments(
  args: Readonly<Record<string, unknown>>,
  { removeDetails, digest }: Redaction,
): Record<string, unknown> {
  const measureValue = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return { length: text.length, digest: digest(text).slice(0, 16) };
  };
  let charsLeft = MAX_CHARS;
  const budget = createDecodingBudget();
  const redactShortText = (text: string): unknown => {
    charsLeft -= Math.min(text.length, 4 * MAX_TEXT_LENGTH);
    return charsLeft < 0 ? measureValue(text) : redactText(text, MAX_TEXT_LENGTH, removeDetails, budget);
  };
  const redactName = (name: string): string => {
    const redacted = redactShortText(name);
    if (typeof redacted === 'string') return redacted;
    return `${name.length} characters, ${digest(name).slice(0, 16)}`;
  };
  const redactValue = (name: string, value: unknown): unknown => {
    if (value === undefined || value === null || typeof value === 'boolean') return value;
    if (SECRET_NAME.test(name)) return MASK;
    if (typeof value === 'number') return Math.abs(value) < MIN_PHONE_NUMBER ? value : MASK;
    if (WHOLE_TEXTS.has(name)) return measureValue(value);
    if (typeof value === 'string') return redactShortText(value);
    if (!Array.isArray(value)) return measureValue(value);
    return value
      .slice(0, MAX_ITEMS)
      .map((each: unknown) => (Array.isArray(each) ? measureValue(each) : redactValue(name, each)));
  };
  const redacted = new Map<string, unknown>();
  for (const [name, value] of Object.entries(args).slice(0, MAX_ITEMS)) {
    redacted.set(
      findUnusedName(redactName(name), redacted),
      redactValue(decodeText(name.slice(0, MAX_TEXT_LENGTH)) ?? name, value),
    );
  }
  return Object.fromEntries(redacted);
}

/**
 * Appends a number to the name of an argument if the name is already used, since masking may make different
 * names equal.
 */
function findUnusedName(name: string, used: ReadonlyMap<string, unknown>): string {
  if (!used.has(name)) return name;
  let number = 2;
  while (used.has(`${name} ${number}`)) number += 1;
  return `${name} ${number}`;
}

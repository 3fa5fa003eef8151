import { readTextValue } from '../http/response-values.ts';
import type { SendOutcome } from './messenger.ts';

/**
 * WhatsApp's error codes that concern the operator's account, its token or its templates:
 * https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes
 */
const MISCONFIGURED: ReadonlySet<number> = new Set([
  0, 3, 10, 190, 131005, 131031, 131042, 131045, 131063, 133010,
]);
/** WhatsApp's error codes for a rate limit of the operator's account, or of one recipient. */
const RATE_LIMITED: ReadonlySet<number> = new Set([4, 80007, 130429, 131048, 131056]);
const BUSY: ReadonlySet<number> = new Set([1, 2, 131000, 131016, 131057, 133004]);
/**
 * Delay in milliseconds before a message is sent again after a rate limit of WhatsApp. Meta recommends twenty
 * minutes; a minute delays alerts less, and usually suffices.
 */
const RATE_LIMIT_DELAY_MS = 60_000;

const MAX_DETAILS_LENGTH = 200;

/** Classifies an error of WhatsApp's Cloud API, from the response to a message or a later status report. */
export function classifyWhatsappError(code: number, details: string): SendOutcome {
  const detailText = readTextValue(details, MAX_DETAILS_LENGTH);
  const suffix = detailText === '' ? '' : ` (${detailText})`;
  if (code === 131047)
    return {
      kind: 'window_closed',
      reason: 'More than 24 hours have passed since the last message from this number.',
    };
  if (code === 131050) return { kind: 'blocked', reason: 'This number does not accept messages.' };
  if (code === 131026) return { kind: 'undeliverable', reason: 'WhatsApp cannot reach this number.' };
  if (code === 131049) return { kind: 'refused', reason: 'WhatsApp has chosen not to deliver this message.' };
  if (RATE_LIMITED.has(code))
    return {
      kind: 'later',
      reason: 'WhatsApp is not accepting more messages at the moment.',
      waitMs: RATE_LIMIT_DELAY_MS,
      mayBeDelivered: false,
    };
  if (BUSY.has(code))
    return {
      kind: 'later',
      reason: `WhatsApp is temporarily unavailable${suffix}.`,
      waitMs: null,
      mayBeDelivered: false,
    };
  if (MISCONFIGURED.has(code) || isTemplateError(code))
    return {
      kind: 'misconfigured',
      reason: `WhatsApp rejects the account or its template: ${code}${suffix}.`,
    };
  return { kind: 'refused', reason: `WhatsApp rejected the message: ${code}${suffix}.` };
}

function isTemplateError(code: number): boolean {
  return code >= 132000 && code < 133000;
}

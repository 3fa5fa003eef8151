import { checkOptions, duration } from './check-options.ts';
import { describeType, refusePromise } from './describe-type.ts';
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/models.ts';
import { computeHmacSha256 } from './sha256.ts';

export interface VerifyOptions {
  /** Maximum seconds between the time in the webhook's signature and now. Default: 300. */
  toleranceSeconds?: number;
}

/** Headers of a received webhook, as `fetch`, Node.js or a framework represents them. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNATURE_HEADER = 'x-webhook-signature';
const SECRET_PREFIX = 'whsec_';
/** Number of characters in webhook secrets that Parley issues: the prefix, and 32 bytes in base64. */
const SECRET_LENGTH = 50;
/** Other secrets that Parley issues and that programs may confuse with a webhook secret, by prefix. */
const OTHER_SECRETS = {
  idsec_: 'the identity secret of a bot',
  parley_live_: 'an API key',
  pk_: 'the public key of a bot',
};
const MAX_SIGNATURES = 20;
/** Minimum number in a signature that counts as milliseconds. As seconds, it would be the year 5138. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Verifies the signature of a webhook and returns its event. Handle unknown events: later versions of Parley
 * may add some. The function is synchronous, so that a forged request also throws in code that does not await
 * it.
 * @param rawBody bytes as received; JSON that was parsed and serialized again has another signature
 * @param secrets the endpoint's secret including `whsec_`; both secrets during a rotation. Blanks and line
 *   breaks around a secret are ignored
 * @throws WebhookVerificationError if the request is not a recent webhook of Parley
 * @throws TypeError if an argument is wrong regardless of the request
 * @throws InvalidArgumentError for unknown options
 */
export function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): WebhookEvent {
  checkOptions('verifyWebhook', options, { toleranceSeconds: duration });
  const body = readBody(rawBody);
  const keys = readSecrets(secrets);
  const { time, signatures } = parseSignature(readSignatureHeader(headers));
  assertRecent(time, options.toleranceSeconds ?? 300);
  if (body.length === 0)
    throw new WebhookVerificationError(
      'The body is empty. A framework has probably read it already: pass its raw bytes.',
    );
  const encoder = new TextEncoder();
  const prefix = encoder.encode(`${time}.`);
  for (const secret of keys) {
    const expected = computeHmacSha256(encoder.encode(secret), prefix, body);
    if (signatures.some((signature) => isEqual(signature, expected))) return parseWebhookBody(body);
  }
  throw new WebhookVerificationError(
    `The signature does not match this body with any of the secrets. ${describeSecretCheck(keys)}, and ${describeBodyCheck(body)}.`,
  );
}

/** @throws TypeError for a webhook body that is not as received */
function readBody(rawBody: unknown): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody))
    return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (isArrayBuffer(rawBody)) return new Uint8Array(rawBody);
  refusePromise('rawBody', rawBody, TypeError);
  throw new TypeError(
    `rawBody is ${describeType(rawBody)}. Pass the body as received, before any JSON parser: a string or bytes.`,
  );
}

/** Recognizes array buffers of other JavaScript realms too, such as those of test runners. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

/** @throws TypeError for a webhook secret that is missing or no text */
function readSecrets(secrets: unknown): readonly string[] {
  const isList = Array.isArray(secrets);
  const list: readonly unknown[] = isList ? secrets : [secrets];
  if (list.length === 0) throw new TypeError('secrets is an empty list. Pass the secret of the endpoint.');
  return list.map((secret, index) => {
    // A secret that was read from a file ends with a line break.
    const text = typeof secret === 'string' ? secret.trim() : '';
    if (text !== '') return text;
    const type = typeof secret === 'string' ? 'an empty string' : describeType(secret);
    const name = isList ? `secrets[${index}]` : 'secrets';
    refusePromise(name, secret, TypeError);
    if (ArrayBuffer.isView(secret) || isArrayBuffer(secret))
      throw new TypeError(
        `${name} is bytes. Pass a string: the whole text that begins with ${SECRET_PREFIX}.`,
      );
    throw new TypeError(`${name} is ${type}. Pass the secret of the endpoint. Is its variable set?`);
  });
}

/**
 * Explains what a program has probably done to a webhook's body, if the beginning of the body differs from
 * that of a webhook.
 */
function describeBodyCheck(body: Uint8Array): string {
  const beginning = new TextDecoder().decode(body.subarray(0, 10));
  if (/^eyJ[\w+/]+$/.test(beginning)) return 'decode the body from base64';
  return /^[{"]/.test(beginning) && !beginning.startsWith('{"event":"'.slice(0, beginning.length))
    ? 'pass the body as received: this one was serialized again'
    : 'pass the body as received';
}

/**
 * Names the first webhook secret whose form differs from those that Parley issues. A secret of `parley
 * webhooks tail` may differ.
 */
function describeSecretCheck(secrets: readonly string[]): string {
  const faults = secrets.map((secret, index) => ({ fault: describeSecretFault(secret), index }));
  const [first] = faults.filter(({ fault }) => fault !== undefined);
  const position = first && secrets.length > 1 ? ` secrets[${first.index}]` : ' the secret';
  return `Check${position}${first ? `, which ${first.fault}` : ''}`;
}

function describeSecretFault(secret: string): string | undefined {
  for (const [prefix, name] of Object.entries(OTHER_SECRETS))
    if (secret.startsWith(prefix)) return `is ${name}`;
  if (!secret.startsWith(SECRET_PREFIX)) return `does not begin with ${SECRET_PREFIX}`;
  if (secret.length === SECRET_LENGTH) return undefined;
  const cause = secret.length < SECRET_LENGTH ? ' (is it cut off?)' : '';
  return `has ${secret.length} characters instead of ${SECRET_LENGTH}${cause}`;
}

/** @throws TypeError for a value that is no collection of headers */
function readSignatureHeader(headers: ReceivedHeaders): string {
  refusePromise('headers', headers, TypeError);
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw new TypeError(`headers is ${describeType(headers)}. Pass the headers of the request.`);
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(SIGNATURE_HEADER)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)?.[1];
  const text = [value ?? ''].flat().join(',');
  if (text === '') throw new WebhookVerificationError(`The request has no header ${SIGNATURE_HEADER}.`);
  return text;
}

/**
 * Parses a webhook's signature header `t=<seconds>,v1=<hex>`, with several `v1` during a rotation of the
 * secret.
 */
function parseSignature(header: string): { time: number; signatures: Uint8Array[] } {
  const parts = header.split(',').map((part) => part.trim());
  const times = parts.filter((part) => part.startsWith('t='));
  const signatures = parts.flatMap((part) => {
    const [, hex] = /^v1=((?:[0-9a-f]{2})+)$/i.exec(part) ?? [];
    return hex === undefined ? [] : [Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16))];
  });
  const [, seconds] = /^t=(\d{1,13})$/.exec(times[0] ?? '') ?? [];
  if (
    seconds === undefined ||
    times.length > 1 ||
    signatures.length === 0 ||
    signatures.length > MAX_SIGNATURES
  )
    throw new WebhookVerificationError(
      `The header ${SIGNATURE_HEADER} is not valid. Its format must be t=<seconds>,v1=<hex>.`,
    );
  return { time: Number(seconds), signatures };
}

/** @throws WebhookVerificationError if the time in a webhook's signature differs too much from now */
function assertRecent(time: number, toleranceSeconds: number): void {
  if (time >= MIN_MILLISECONDS)
    throw new WebhookVerificationError(
      `The timestamp of the signature is in milliseconds. In the header ${SIGNATURE_HEADER}, t is in seconds.`,
    );
  const ageSeconds = Date.now() / 1000 - time;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  const difference = `${Math.ceil(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? 'old' : 'in the future'}`;
  throw new WebhookVerificationError(
    `The timestamp of the signature is ${difference}; at most ${toleranceSeconds} s are allowed. Check the clock.`,
  );
}

/** Compares two signatures in constant time. */
function isEqual(left: Uint8Array, right: Uint8Array): boolean {
  const difference = right.reduce((sum, byte, index) => sum | (byte ^ (left[index] ?? 0)), 0);
  return left.length === right.length && difference === 0;
}

function parseWebhookBody(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError('The body is not JSON.', { cause: error });
  }
}

import { checkOptions, duration } from './check-options.ts';
import { describeType, refusePromise } from './describe-type.ts';
import { WebhookVerificationError } from './errors.ts';
import type { WebhookEvent } from './generated/models.ts';

export interface VerifyOptions {
  /** Maximum difference between the signature's time and now. Default: 300. */
  toleranceSeconds?: number;
}

/** Headers of `fetch`, Node.js or a framework. */
export type ReceivedHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const SIGNATURE_HEADER = 'x-webhook-signature';
const SECRET_PREFIX = 'whsec_';
const MAX_SIGNATURES = 20;
/** Minimum number that counts as milliseconds. As seconds, it would be the year 5138. */
const MIN_MILLISECONDS = 100_000_000_000;

/**
 * Verifies a webhook and returns its event. Handle unknown events: Parley may add some.
 * @param rawBody bytes as received; JSON that was parsed and serialized again has another signature
 * @param secrets the endpoint's secret including `whsec_`; both secrets during a rotation. Blanks and line breaks
 *   around a secret are ignored
 * @throws WebhookVerificationError if the request is not a recent webhook of Parley
 * @throws TypeError if an argument is wrong regardless of the request
 * @throws InvalidArgumentError for unknown options
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
  secrets: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  checkOptions('verifyWebhook', options, { toleranceSeconds: duration });
  const body = readBody(rawBody);
  const keys = readSecrets(secrets);
  const { time, signatures } = parseSignature(readSignatureHeader(headers));
  assertRecent(time, options.toleranceSeconds ?? 300);
  if (body.length === 0)
    throw new WebhookVerificationError(
      'The body is empty. A framework has probably read it already: pass its raw bytes.',
    );
  const signed = concatBytes(new TextEncoder().encode(`${time}.`), body);
  for (const secret of keys) if (await isSigned(signed, signatures, secret)) return parseWebhookBody(body);
  throw new WebhookVerificationError(
    `The signature does not match this body with any of the secrets. ${describeSecretCheck(keys)}, and pass the body as received.`,
  );
}

/** @throws TypeError for a body that is not as received */
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

/** Recognizes buffers of other realms too, such as those of test runners. */
function isArrayBuffer(value: unknown): value is ArrayBuffer {
  return Object.prototype.toString.call(value) === '[object ArrayBuffer]';
}

/** @throws TypeError for a secret that is missing or no text */
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

function describeSecretCheck(secrets: readonly string[]): string {
  return secrets.every((secret) => secret.startsWith(SECRET_PREFIX))
    ? 'Check the secret'
    : `Check the secret, which begins with ${SECRET_PREFIX}`;
}

/** @throws TypeError for anything but headers */
function readSignatureHeader(headers: ReceivedHeaders): string {
  refusePromise('headers', headers, TypeError);
  if (typeof headers !== 'object' || headers === null)
    throw new TypeError(`headers is ${describeType(headers)}. Pass the headers of the request.`);
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(SIGNATURE_HEADER)
      : Object.entries(headers).find(([name]) => name.toLowerCase() === SIGNATURE_HEADER)?.[1];
  const text = [value ?? ''].flat().join(',');
  if (text === '') throw new WebhookVerificationError(`The request has no header ${SIGNATURE_HEADER}.`);
  return text;
}

/** Parses `t=<seconds>,v1=<hex>`, with several `v1` during a rotation of the secret. */
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
      `The header ${SIGNATURE_HEADER} is not valid. It has the form t=<seconds>,v1=<hex>.`,
    );
  return { time: Number(seconds), signatures };
}

/** @throws WebhookVerificationError if the time of a signature differs too much from now */
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

/** Compares in constant time. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: readonly Uint8Array[],
  secret: string,
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), hmac, false, ['verify']);
  for (const signature of signatures)
    if (await crypto.subtle.verify('HMAC', key, signature as Uint8Array<ArrayBuffer>, signed)) return true;
  return false;
}

function concatBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function parseWebhookBody(body: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(body)) as WebhookEvent;
  } catch (error) {
    throw new WebhookVerificationError('The body is not JSON.', { cause: error });
  }
}

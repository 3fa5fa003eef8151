import type { IncomingMessage } from 'node:http';
import type Koa from 'koa';
import { yieldBeforeLongWork } from '../../core/concurrency/cooperative.ts';
import { AppError } from '../../core/errors/errors.ts';
import { findExcess } from '../../core/text/json-weight.ts';
import type { Database } from '../../database/database.ts';
import type { SignatureCheck, WhatsappHooks } from '../../services/alerts/channels/whatsapp-hooks.ts';
import { parseQuery } from '../http/schemas/parse-query.ts';

const PATH = '/hooks/whatsapp';
/** Maximum body size of a WhatsApp webhook in bytes: Meta sends at most 3 MB. */
const MAX_BYTES = 3 * 1024 * 1024;
/**
 * Limits of the JSON in the body of a WhatsApp webhook, which keep parsing below 30 ms. A body of 3 MB that
 * contains only message statuses has 105,000 values.
 */
const MAX_WEIGHT = { values: 150_000, keys: 2000, levels: 64 };
const MAX_CHALLENGE = 200;

export interface WhatsappHookDeps {
  whatsappHooks: WhatsappHooks;
  database: Database;
}

/**
 * Serves the webhook for WhatsApp: Meta's challenge during set-up, and its events. Returns whether the
 * request was for the webhook.
 * @throws AppError if Meta has not signed the request, or the body is too large
 */
export function createWhatsappHook({ whatsappHooks: hooks, database }: WhatsappHookDeps) {
  return async (koa: Koa.Context): Promise<boolean> => {
    if (koa.path !== PATH || !hooks.isSetUp) return false;
    if (koa.method === 'GET') {
      koa.type = 'text/plain; charset=utf-8';
      koa.body = readChallenge(koa, hooks);
      return true;
    }
    if (koa.method !== 'POST') return false;
    const check = hooks.startSignatureCheck(koa.get('x-hub-signature-256'));
    if (check === null) throw notSigned();
    const chunks = await readAll(koa.req, check);
    if (!check.isSigned()) throw notSigned();
    await hooks.receive(database, await parseJson(Buffer.concat(chunks)));
    koa.status = 200;
    koa.body = '';
    return true;
  };
}

function readChallenge(koa: Koa.Context, hooks: WhatsappHooks): string {
  const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = parseQuery(koa);
  const isVerified = mode === 'subscribe' && typeof token === 'string' && hooks.isVerifyToken(token);
  if (!isVerified || typeof challenge !== 'string' || challenge.length > MAX_CHALLENGE)
    throw new AppError(
      'forbidden',
      'The verify token is wrong. Use the value of PARLEY_WHATSAPP_VERIFY_TOKEN.',
    );
  return challenge;
}

async function readAll(request: IncomingMessage, check: SignatureCheck): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  if (Number(request.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge();
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw tooLarge();
    check.add(chunk);
    chunks.push(chunk);
  }
  return chunks;
}

function notSigned(): AppError {
  return new AppError('forbidden', 'The request has no valid signature from Meta.');
}

function tooLarge(): AppError {
  return new AppError('payload_too_large', 'The body exceeds 3 MB.');
}

async function parseJson(body: Buffer): Promise<unknown> {
  const json = body.toString('utf8');
  await yieldBeforeLongWork(json.length);
  if (findExcess(json, MAX_WEIGHT) !== null)
    throw new AppError('payload_too_large', 'The body has too many values or keys, or is nested too deeply.');
  await yieldBeforeLongWork(json.length);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new AppError('malformed_json', 'The body is not valid JSON.', { cause: error });
  }
}

import { randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;
const HINT_LENGTH = 4;

export function newEndpointSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

/** What stays readable of a secret, so that people can tell two apart. */
export function secretHint(secret: string): string {
  return secret.slice(-HINT_LENGTH);
}

/** Where a sealed secret belongs; it opens nowhere else. */
export const secretPlace = (webhookId: string): string => `webhooks.secret:${webhookId}`;

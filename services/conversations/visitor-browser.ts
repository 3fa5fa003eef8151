import type { Keyring } from '../../adapters/keys/keyring.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';

/** Who begins a session, as far as that is proven. */
export interface VisitorBrowser {
  /** What the page calls the visitor. */
  visitorId: string;
  browserId: string;
  /** Proves the same in later sessions. */
  visitorSecret: string;
}

interface SecretPayload {
  bot_id: string;
  visitor_id: string;
  browser_id: string;
}

/**
 * The browser of an earlier session, if the visitor has its secret, or else a new one: whoever only knows a visitor id
 * may be anybody.
 * @throws AppError `validation_error` for a secret of another bot or visitor id, or of nobody
 */
export function browserOf(
  keyring: Keyring,
  botId: string,
  { visitor_id: named, visitor_secret: secret }: { visitor_id?: string; visitor_secret?: string },
): VisitorBrowser {
  const proven = secret === undefined ? null : keyring.verify<SecretPayload>('visitor-secret', secret);
  if (
    secret !== undefined &&
    (proven?.bot_id !== botId || proven.visitor_id !== (named ?? proven.visitor_id))
  )
    throw invalidField(
      'visitor_secret',
      'is not of a session of this visitor with this bot; leave it out for a new visitor',
    );
  const visitorId = named ?? proven?.visitor_id ?? `visitor_${newId()}`;
  const browserId = proven?.browser_id ?? newId();
  const payload: SecretPayload = { bot_id: botId, visitor_id: visitorId, browser_id: browserId };
  return { visitorId, browserId, visitorSecret: keyring.sign('visitor-secret', payload) };
}

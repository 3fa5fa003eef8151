import type { Keyring } from '../../adapters/keys/keyring.ts';
import { invalidField } from '../../core/errors/errors.ts';
import { newId } from '../../core/ids.ts';

/** Identifies the visitor and the browser that start a session. */
export interface VisitorBrowser {
  /** Visitor id that the website's page has set, or a generated id. It does not prove who the visitor is. */
  visitorId: string;
  browserId: string;
  /** Signed secret by which later sessions prove that they come from the same browser. */
  visitorSecret: string;
}

interface SecretPayload {
  bot_id: string;
  visitor_id: string;
  browser_id: string;
}

/**
 * Returns the browser of an earlier session if the request has this browser's secret. Without the secret,
 * returns a new browser, since a visitor id alone proves nothing.
 * @throws AppError `validation_error` if the secret is invalid, or belongs to another bot or visitor id
 */
export function resolveBrowser(
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
      'is not the secret of this visitor for this bot; omit it for a new visitor',
    );
  const visitorId = named ?? proven?.visitor_id ?? `visitor_${newId()}`;
  const browserId = proven?.browser_id ?? newId();
  const payload: SecretPayload = { bot_id: botId, visitor_id: visitorId, browser_id: browserId };
  return { visitorId, browserId, visitorSecret: keyring.sign('visitor-secret', payload) };
}

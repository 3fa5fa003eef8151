import { CalendarReconnect } from '../../../adapters/calendars/calendar-provider.ts';
import type { CalDavCredentials } from '../../../adapters/calendars/caldav/discover.ts';
import type { GoogleTokens } from '../../../adapters/calendars/google/google-oauth.ts';
import type { Keyring } from '../../../adapters/keys/keyring.ts';
import { UndecryptableValue } from '../../../core/errors/undecryptable-value.ts';

/** Credentials with which Parley accesses a calendar account. */
export type CalendarCredentials =
  | ({ provider: 'google' } & GoogleTokens)
  | ({ provider: 'caldav' } & CalDavCredentials);

export function sealCredentials(
  keyring: Keyring,
  connectionId: string,
  credentials: CalendarCredentials,
): string {
  return keyring.seal(JSON.stringify(credentials), credentialsSealContext(connectionId));
}

/**
 * Decrypts the credentials of a calendar account.
 * @throws CalendarReconnect if the credentials were encrypted with another key
 */
export function openCredentials(keyring: Keyring, connectionId: string, sealed: string): CalendarCredentials {
  try {
    return JSON.parse(keyring.open(sealed, credentialsSealContext(connectionId))) as CalendarCredentials;
  } catch (error) {
    if (!(error instanceof UndecryptableValue)) throw error;
    throw new CalendarReconnect(
      'The stored credentials of the calendar cannot be decrypted; connect the calendar again.',
      {
        cause: error,
      },
    );
  }
}

function credentialsSealContext(connectionId: string): string {
  return `calendar_connections.sealed_credentials:${connectionId}`;
}

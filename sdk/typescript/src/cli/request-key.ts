import { ApiError, NotFoundError, type ParleyError } from '../errors.ts';
import type { DeviceLoginStarted } from '../generated/models.ts';
import { isTemporary, pause } from '../retries.ts';
import { Unfinished, Unsuccessful, type Context } from './command.ts';
import { oneLine } from './safe-text.ts';

/** Seconds that RFC 8628 adds to the poll interval after a poll that came too early. */
const SLOW_DOWN_SECONDS = 5;
const MAX_CLIENT_NAME = 100;

/**
 * Gets an API key that a person approves in a browser.
 * @throws Unfinished after Ctrl-C, Unsuccessful if the code has expired
 */
export async function requestKey(context: Context): Promise<string> {
  const { err, openBrowser, values } = context;
  const signal = context.onInterrupt();
  try {
    const login = await startLogin(context, signal);
    const page = login.verification_uri_complete;
    err(`Open ${oneLine(page)} and confirm ${oneLine(login.user_code)}\n`);
    if (values['no-browser'] !== true) openBrowser?.(page);
    return await waitForKey(context, login, signal);
  } catch (error) {
    if (signal.aborted) throw new Unfinished('The login was interrupted. No key was stored.', 'interrupted');
    throw error;
  }
}

async function startLogin(
  { client, machine, credentials: { baseUrl } }: Context,
  signal: AbortSignal,
): Promise<DeviceLoginStarted> {
  const client_name = `parley on ${machine}`.slice(0, MAX_CLIENT_NAME);
  try {
    return await client.apiKeys.startDeviceLogin({ client_name }, { signal });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    throw new Unsuccessful(`${baseUrl} does not support browser login. Run parley login --key.`);
  }
}

/**
 * Polls the server until the person has approved or refused the new API key. Continues after failures that
 * may be temporary.
 */
async function waitForKey(
  { client }: Context,
  { device_code, expires_in: lifetimeSeconds, interval }: DeviceLoginStarted,
  signal: AbortSignal,
): Promise<string> {
  const end = Date.now() + lifetimeSeconds * 1000;
  for (let seconds = interval; ;) {
    await pause(seconds * 1000, signal);
    try {
      const { key } = await client.apiKeys.pollDeviceLogin({ device_code }, { signal });
      if (key !== null) return key;
    } catch (error) {
      if (error instanceof NotFoundError)
        throw new Unsuccessful('The code has expired. Run parley login again.');
      if (signal.aborted || !isTemporary(error) || Date.now() > end) throw error;
      if (isTooEarly(error as ParleyError)) seconds += SLOW_DOWN_SECONDS;
    }
  }
}

function isTooEarly(error: ParleyError): boolean {
  return error instanceof ApiError && error.status === 429;
}

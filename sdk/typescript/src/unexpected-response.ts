import { ParleyError } from './errors.ts';

/**
 * Returns the error for a response that Parley would not send, such as an object in place of a list.
 * @param sender URL of the request; empty or undefined if the URL is unknown
 */
export function createUnexpectedResponseError(sender?: string, options?: ErrorOptions): ParleyError {
  return new ParleyError(
    `The response of ${sender || 'the server'} is not what Parley sends. Check that PARLEY_URL is the URL of Parley.`,
    options,
  );
}

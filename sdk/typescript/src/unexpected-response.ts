import { ParleyError } from './errors.ts';

/**
 * Returns the error for a response that Parley would not send, such as an object in place of a list.
 * @param sender URL of the request; empty if the URL is unknown
 * @param urlSetting name of the setting of Parley's URL
 */
export function createUnexpectedResponseError(
  sender: string,
  urlSetting: string,
  options?: ErrorOptions,
): ParleyError {
  return new ParleyError(
    `The response from ${sender || 'the server'} is not a Parley response. Check that ${urlSetting} is the URL of Parley.`,
    options,
  );
}

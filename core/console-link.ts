/**
 * Returns the address of a place in the console, which opens in the workspace given.
 * @param place parts of the path behind `#/`, such as `['inbox', conversationId]`
 */
export function consoleLink(baseUrl: string, orgId: string, place: readonly string[]): string {
  return `${baseUrl}/console#/${place.join('/')}?workspace=${orgId}`;
}

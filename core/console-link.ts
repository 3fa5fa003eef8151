/**
 * Returns the URL of a place in the console, opened in the given workspace.
 * @param place parts of the path after `#/`, such as `['inbox', conversationId]`
 */
export function consoleLink(baseUrl: string, orgId: string, place: readonly string[]): string {
  return `${baseUrl}/console#/${place.join('/')}?workspace=${orgId}`;
}

/**
 * Returns the URL of a page of the console. The link also selects the workspace.
 * @param place segments of the path after `#/`, such as `['inbox', conversationId]`
 */
export function consoleLink(baseUrl: string, orgId: string, place: readonly string[]): string {
  return `${baseUrl}/console#/${place.join('/')}?workspace=${orgId}`;
}

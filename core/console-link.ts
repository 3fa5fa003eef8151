/**
 * Returns the URL of a page of the console. The link also selects the workspace.
 * @param segments path after `#/`, such as `['inbox', conversationId]`
 */
export function buildConsoleLink(baseUrl: string, orgId: string, segments: readonly string[]): string {
  return `${baseUrl}/console#/${segments.join('/')}?workspace=${orgId}`;
}

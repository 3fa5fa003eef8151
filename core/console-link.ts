/**
 * Returns the URL of a page of the console for a workspace. Opening the URL also selects the workspace.
 * @param segments path after `#/`, such as `['inbox', conversationId]`
 */
export function buildConsoleLink(baseUrl: string, orgId: string, segments: readonly string[]): string {
  return `${baseUrl}/console#/${segments.join('/')}?workspace=${orgId}`;
}

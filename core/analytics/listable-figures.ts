/**
 * Figures of the analytics overview whose conversations `listConversations` can list, with the filters to use.
 * A session counts as a conversation once the visitor has sent a message.
 */
export const listableFigures = {
  sessions: {},
  conversations: { has_visitor_message: true },
  ended: { status: 'ended', has_visitor_message: true },
  resolved: { resolved: true, has_visitor_message: true },
  leads: { is_lead: true },
} as const;

export type ListableFigure = keyof typeof listableFigures;

/**
 * Returns a sentence for the API's description of an analytics figure. The sentence says how to list the
 * conversations that the figure counts.
 */
export function describeListing(figure: ListableFigure): string {
  const filters = Object.entries(listableFigures[figure]).map(([name, value]) => `${name}=${String(value)}`);
  return `listConversations returns the same total${filters.length === 0 ? '' : ` with ${filters.join('&')}`}.`;
}

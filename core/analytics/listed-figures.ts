/**
 * Figures of the overview that `listConversations` can list, and the filters that list exactly what each counts.
 * A session counts as a conversation once the visitor has said something.
 */
export const listedFigures = {
  sessions: {},
  conversations: { has_visitor_message: true },
  ended: { status: 'ended', has_visitor_message: true },
  resolved: { resolved: true, has_visitor_message: true },
  leads: { is_lead: true },
} as const;

export type ListedFigure = keyof typeof listedFigures;

/** Completes the description of a figure. */
export function describeListing(figure: ListedFigure): string {
  const filters = Object.entries(listedFigures[figure]).map(([name, value]) => `${name}=${String(value)}`);
  return `listConversations has the same total${filters.length === 0 ? '' : ` with ${filters.join('&')}`}.`;
}

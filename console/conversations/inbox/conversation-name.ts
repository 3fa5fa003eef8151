interface Row {
  contact_name: string | null;
  contact_email: string | null;
  first_question: string | null;
  visitor_id: string;
}

/** Returns the display name of a conversation: the visitor's name or address, or else the first question. */
export function getConversationName(row: Row): string {
  const { contact_name: name, contact_email: email, first_question: question, visitor_id: id } = row;
  return name ?? email ?? question ?? `Visitor ${id.slice(-6)}`;
}

interface Row {
  contact_name: string | null;
  contact_email: string | null;
  visitor_id: string;
}

/** Returns the display name of a conversation: the visitor's name or email address, or else a short id. */
export function getConversationName(row: Row): string {
  return getKnownName(row) ?? `Visitor ${row.visitor_id.slice(-4)}`;
}

/** Returns the visitor's name or email address; null if neither is known. */
export function getKnownName({ contact_name: name, contact_email: email }: Row): string | null {
  return name ?? email;
}

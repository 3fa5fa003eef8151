interface Visitor {
  contact_name: string | null;
  contact_email: string | null;
  visitor_id: string;
}

interface Row extends Visitor {
  first_question: string | null;
}

/** Who somebody is as far as it is known. */
export function visitorName(visitor: Visitor): string {
  return knownName(visitor) ?? `Visitor ${visitor.visitor_id.slice(-6)}`;
}

/** What a conversation is recognised by among others: a stranger's is what was asked first. */
export function rowName(row: Row): string {
  return knownName(row) ?? row.first_question ?? visitorName(row);
}

function knownName({ contact_name: name, contact_email: email }: Visitor): string | null {
  return name ?? email;
}

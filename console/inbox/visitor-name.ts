interface Visitor {
  contact_name: string | null;
  contact_email: string | null;
  visitor_id: string;
}

/** Who somebody is as far as it is known. */
export function visitorName({ contact_name: name, contact_email: email, visitor_id: id }: Visitor): string {
  return name ?? email ?? `Visitor ${id.slice(-6)}`;
}

/** Who answers for a meeting: the address that our mails come from, under the name of whom the attendee meets. */
export function organizerOf(mailFrom: string, name: string): { name: string; email: string } {
  const [, address] = /<([^<>]+)>\s*$/.exec(mailFrom) ?? [];
  return { name, email: (address ?? mailFrom).trim() };
}

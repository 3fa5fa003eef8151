/** The status of a response, and the code of its error if it has one: "200", "401 unauthenticated". */
export function outcomeOf({ status, body }: { status: number; body: unknown }): string {
  const code = (body as { error?: { code: string } } | null)?.error?.code;
  return code === undefined ? String(status) : `${status} ${code}`;
}

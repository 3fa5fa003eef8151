/** What others say of a failure, without the e-mail addresses that they repeat. */
export function withoutAddresses(text: string): string {
  return text.replace(/<?(?<![^\s<>@])[^\s<>@]+@[^\s<>]+>?/g, '…');
}

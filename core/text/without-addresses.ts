/** Removes email addresses from error messages of other services. */
export function removeAddresses(text: string): string {
  return text.replace(/<?(?<![^\s<>@])[^\s<>@]+@[^\s<>]+>?/g, '…');
}

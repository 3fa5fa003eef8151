/** Removes URLs and email addresses, which say nothing about the language and intent of a message. */
export function removeUrlsAndEmails(text: string): string {
  return text.replace(/(?<!\S)(?:https?:\/\/|www\.)\S+|(?<![^\s<>@])[^\s<>@]+@[^\s<>]+/giu, ' ');
}

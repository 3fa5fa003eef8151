// Types shared by the widget's script and the part that formats messages, which the widget loads on demand. As with
// bookings, the part's URL contains a digest of this file.

/** Element that shows a text with Markdown. */
export interface TextView {
  readonly element: HTMLElement;
  /** Shows the text of an incomplete message, which may grow. */
  grow(text: string): void;
  /** Shows the complete text of the message. */
  finish(text: string): void;
}

export interface MarkdownModule {
  /** @param renderCitation renders the citation with an index; returns null if no such source is known */
  createTextView(renderCitation?: (index: number) => Node | null): TextView;
}

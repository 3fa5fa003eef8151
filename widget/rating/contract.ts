// Types shared by the widget's script and the rating part, a script that the widget loads on demand. As with
// bookings, the part's URL contains a digest of this file.

/** Reason and comment of a visitor about an answer that did not help. */
export interface RatingDetails {
  reason: string | null;
  comment: string | null;
}

export interface RatingModule {
  /**
   * Asks the visitor what is wrong with an answer.
   * @param container element to fill; it is emptied when the visitor is done
   * @param language tag of the widget's language
   * @param words texts of the buttons
   * @param submit sends the details; never rejects
   */
  askReason(
    container: HTMLElement,
    language: string,
    words: { send: string; cancel: string },
    submit: (details: RatingDetails) => Promise<void>,
  ): void;
}

/** A source of an answer, in messages, events and streams. */
export interface Citation {
  /** Number to which the answer's text refers, as in `[1]`. */
  index: number;
  document_id: string;
  chunk_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

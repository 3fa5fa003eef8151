/** A source that an answer cites. The same format is used in messages, events and streams. */
export interface Citation {
  /** Number of the source in the text of the answer, as in `[1]`. */
  index: number;
  document_id: string;
  chunk_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

/** A source that an answer cites. Messages, events and streams contain it in the same format. */
export interface Citation {
  /** Number of the source in the text of the answer, as in `[1]`. */
  index: number;
  document_id: string;
  chunk_id: string;
  title: string;
  source_url: string | null;
  quote: string;
}

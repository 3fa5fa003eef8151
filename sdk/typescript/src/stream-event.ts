/** One event. Others than the SDK knows may come: have a default for them. */
export interface StreamEventOf<Name extends string, Data> {
  event: Name;
  /** Identifies the place in the stream. */
  id: string | null;
  data: Data;
}

/** An event of a stream. Handle unknown events: Parley may add some. */
export interface StreamEventOf<Name extends string, Data> {
  event: Name;
  /** Position in the stream. */
  id: string | null;
  data: Data;
}

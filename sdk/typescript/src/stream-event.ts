/** An event of a stream. Handle events with unknown names: later versions of Parley may add some. */
export interface StreamEventOf<Name extends string, Data> {
  event: Name;
  /** Position of the event in the stream, from which a new stream can continue. */
  id: string | null;
  data: Data;
}

/**
 * Stands for any event name that this version of the SDK does not know. Names contain no spaces, so the type
 * differs from all known names and a `switch` can distinguish them. Assign it to a `string` to compare it.
 */
export type UnknownEventName = `unknown event ${string}`;

/** An event that this version of the SDK does not know. A `switch` handles such an event in its `default`. */
export type UnknownStreamEvent = StreamEventOf<UnknownEventName, unknown>;

/** A webhook event that this version of the SDK does not know. */
export interface UnknownWebhookEvent {
  event: UnknownEventName;
  data: {
    event_id: string;
    occurred_at: string;
    /** True in webhook events that testWebhook sends, and in their replays; absent from real events. */
    test?: boolean | undefined;
    [name: string]: unknown;
  };
}

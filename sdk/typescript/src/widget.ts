// Types of the widget's global names: `import type {} from 'parley-sdk/widget'` declares them on `window`. The widget
// itself is compiled with these types.

/**
 * Source of the visitor's identity: a signed token, or a function that returns a new one; undefined for an
 * anonymous visitor.
 */
export type IdentitySource = string | (() => string | Promise<string>) | undefined;

/**
 * Function of the page that replaces the widget's booking dialog. The widget calls it with null from the
 * button and from flows, and with the visitor's choice in the directory. If it returns true for a choice, the
 * widget does not open the choice's link.
 */
export type BookingHook = (choice: { category: string; choice: string; link: string } | null) => unknown;

/** Settings that the page defines before the widget's script runs. */
export interface ParleySettings {
  identityToken?: IdentitySource;
  /** The id that the page assigns to the visitor, 1 to 128 characters. */
  visitorId?: string | number;
  /** BCP 47 tag of the widget's language, such as `fr` or `pt-BR`. */
  language?: string;
  onBook?: BookingHook;
}

/** Data that a listener for events of the widget receives, by the name of the event. */
export interface ParleyEvents {
  open: null;
  close: null;
  /** A message that was added to the conversation after the page was loaded. */
  message: { id: string; role: 'user' | 'assistant' | 'agent' | 'system'; content: string };
  /** The current status of the conversation. */
  status: 'active' | 'waiting_human' | 'human' | 'ended';
}

/** Functions of `window.Parley`, the only global name that the widget defines. */
export interface ParleyWidget {
  open(): void;
  close(): void;
  toggle(): void;
  showLeadForm(): void;
  /**
   * Identifies the visitor by a token after a sign-in on the page; without a token, the visitor is anonymous
   * again.
   */
  identify(token?: IdentitySource): void;
  /** Opens the chat and sends a message of the visitor. */
  send(text: string): void;
  /** Opens the chat and writes a text into the empty message field. */
  prefill(text: string): void;
  /**
   * Calls a function of the page at each event of the widget.
   * @returns a function that ends the calls
   */
  on<E extends keyof ParleyEvents>(event: E, listener: (data: ParleyEvents[E]) => unknown): () => void;
  /** Removes the widget until the page is loaded again. */
  destroy(): void;
}

declare global {
  interface Window {
    /** The widget's functions; undefined until the widget's script has run. */
    Parley?: ParleyWidget;
    ParleySettings?: ParleySettings;
  }
}

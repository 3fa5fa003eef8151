import type { PageEvent, PageEventData } from './page-events.ts';
import type { IdentitySource } from './session/session.ts';
import type { BookingHook } from './ui/view.ts';

/** Settings that the page defines before it loads the widget. */
export interface ParleySettings {
  identityToken?: IdentitySource;
  visitorId?: string | number;
  language?: string;
  onBook?: BookingHook;
}

/** Functions of `window.Parley`, the only global name that the widget defines. */
export interface ParleyHandle {
  open(): void;
  close(): void;
  toggle(): void;
  showLeadForm(): void;
  identify(token?: IdentitySource): void;
  /** Opens the chat and sends a message of the visitor. */
  send(text: string): void;
  /** Opens the chat and writes a text into the empty message field. */
  prefill(text: string): void;
  /**
   * Calls a function at each event.
   * @returns a function that ends the calls
   */
  on<E extends PageEvent>(event: E, listener: (data: PageEventData[E]) => unknown): () => void;
  /** Removes the widget from the page. */
  destroy(): void;
}

declare global {
  interface Window {
    Parley?: ParleyHandle;
    ParleySettings?: ParleySettings;
  }
  /** Undefined, or a reference error without `typeof`, if the page has no settings. */
  const ParleySettings: ParleySettings | undefined;
}

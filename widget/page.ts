import type { IdentitySource } from './session/session.ts';
import type { BookingHook } from './ui/view.ts';

/** What a page may set before the script runs. */
export interface ParleySettings {
  identityToken?: IdentitySource;
  visitorId?: string | number;
  language?: string;
  onBook?: BookingHook;
}

/** The one name that the widget has on the page. */
export interface ParleyHandle {
  open(): void;
  close(): void;
  toggle(): void;
  showLeadForm(): void;
  identify(token?: IdentitySource): void;
}

declare global {
  interface Window {
    Parley?: ParleyHandle;
    ParleySettings?: ParleySettings;
  }
}

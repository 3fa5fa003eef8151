import type { IdentitySource } from './session/session.ts';
import type { BookingHook } from './ui/view.ts';

/** Settings that a page defines before the script runs. */
export interface ParleySettings {
  identityToken?: IdentitySource;
  visitorId?: string | number;
  language?: string;
  onBook?: BookingHook;
}

/** The widget's only global name on the page. */
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

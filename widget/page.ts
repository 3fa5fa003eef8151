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
}

declare global {
  interface Window {
    Parley?: ParleyHandle;
    ParleySettings?: ParleySettings;
  }
}

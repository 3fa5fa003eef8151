import type { WidgetConfig } from '../session/api-client.ts';
import type { Chat } from '../session/chat.ts';
import type { Texts } from '../texts.ts';
import type { Appearance } from './theme.ts';

/**
 * Function of the page. It is called with null instead of opening the booking sheet, or with the visitor's choice in
 * the directory. If it returns true for a choice, the widget does not open the choice's link.
 */
export type BookingHook = (choice: { category: string; choice: string; link: string } | null) => unknown;

/** Everything that parts of the panel need to draw themselves. */
export interface View {
  chat: Chat;
  config: WidgetConfig;
  texts: Texts;
  appearance: Appearance;
  onBook: BookingHook | undefined;
  /** Called after the visitor or the page has opened or closed the panel. */
  onToggle?(isOpen: boolean): void;
  /** Aborted when the widget is removed from the page. */
  signal: AbortSignal;
}

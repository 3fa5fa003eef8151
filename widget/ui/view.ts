import type { BookingHook } from '../../sdk/typescript/src/widget.ts';
import type { WidgetConfig } from '../session/api-client.ts';
import type { Chat } from '../session/chat.ts';
import type { Texts } from '../texts.ts';
import type { Appearance } from './theme.ts';

/** Data and functions with which the parts of the panel draw themselves. */
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

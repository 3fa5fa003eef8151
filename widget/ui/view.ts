import type { WidgetConfig } from '../session/api-client.ts';
import type { Chat } from '../session/chat.ts';
import type { Texts } from '../texts.ts';
import type { Appearance } from './theme.ts';

/**
 * Called instead of the booking sheet, and for a choice of the directory. The widget follows the link of a choice
 * unless the hook returns true.
 */
export type BookingHook = (choice: { category: string; choice: string; link: string } | null) => unknown;

/** Data that every part of the panel draws from. */
export interface View {
  chat: Chat;
  config: WidgetConfig;
  texts: Texts;
  appearance: Appearance;
  onBook: BookingHook | undefined;
}

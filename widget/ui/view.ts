import type { WidgetConfig } from '../session/api-client.ts';
import type { Chat } from '../session/chat.ts';
import type { Texts } from '../texts.ts';
import type { Look } from './theme.ts';

/** What a page does where visitors can book; true when it takes care of a choice of the directory, whose link is not followed then. */
export type BookingHook = (choice: { category: string; choice: string; link: string } | null) => unknown;

/** What every part of the panel draws from. */
export interface View {
  chat: Chat;
  config: WidgetConfig;
  texts: Texts;
  look: Look;
  onBook: BookingHook | undefined;
}

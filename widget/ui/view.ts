import type { WidgetConfig } from '../session/api-client.ts';
import type { Chat } from '../session/chat.ts';
import type { Texts } from '../texts.ts';
import type { Look } from './theme.ts';

/** What every part of the panel draws from. */
export interface View {
  chat: Chat;
  config: WidgetConfig;
  texts: Texts;
  look: Look;
}

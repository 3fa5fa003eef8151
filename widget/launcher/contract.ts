import type { FilesChat } from '../files/contract.ts';
import type { LauncherTheme } from './read-launcher.ts';

// Types shared by the widget's script and the part for launchers that differ from the default, which the widget loads
// on demand. As with bookings, the part's URL contains a digest of this file.

interface LauncherOptions {
  widget: { readonly isOpen: boolean; open(): void };
  chat: FilesChat & { readonly messages: { readonly length: number } };
  config: { public_key: string; theme: LauncherTheme };
  /** Aborted when the widget is removed from the page. */
  signal: AbortSignal;
}

export interface LauncherModule {
  /**
   * Changes the launcher and the panel as the bot's theme says, shows greetings, and loads the part for
   * files.
   */
  decorate(root: ShadowRoot, options: LauncherOptions): void;
}

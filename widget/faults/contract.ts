import type { WidgetTheme } from '../../api/bots/bots.config.schemas.ts';

// Types shared by the widget's script and the part that describes mistakes of a page, which the widget loads on
// demand. As with bookings, the part's URL contains a digest of this file.

/** Options that the page has set. */
export interface PageOptions {
  /** `window.ParleySettings` when the widget's script ran */
  settings: Record<string, unknown>;
  /** `data-` attributes of the script, by their names in `dataset` */
  attributes: object;
}

/** Options that the page and the bot's owner have set. */
export interface WidgetOptions extends PageOptions {
  theme: WidgetTheme;
}

export interface FaultsModule {
  /** Lists the options that the widget ignores, each with what to write instead. */
  listPageFaults(options: PageOptions, current: Record<string, unknown>): string[];
  listThemeFaults(theme: WidgetTheme): string[];
}

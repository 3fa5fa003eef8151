import type { WidgetTheme } from '../../api/bots/bots.config.schemas.ts';

// Types shared by the widget's script and the part that describes mistakes of a page, which the widget loads on
// demand. As with bookings, the part's URL contains a digest of this file.

/** Options of the widget that the page has set. */
export interface PageOptions {
  /** Value of `window.ParleySettings` when the widget's script ran */
  settings: Record<string, unknown>;
  /** Values of the script element's `data-` attributes, by their names in `dataset` */
  attributes: Record<string, unknown>;
  /** Names of the page's global variables */
  globals: readonly string[];
}

/** Options of the widget that the page and the bot's owner have set. */
export interface WidgetOptions extends PageOptions {
  theme: WidgetTheme;
}

export interface FaultsModule {
  /**
   * Lists the options that the widget ignores, each with advice for the page's developer.
   * @param current `window.ParleySettings` now
   * @param base URL of the API without a trailing slash
   */
  listFaults(options: WidgetOptions, current: Record<string, unknown>, base: string): string[];
  /**
   * Describes a call of `window.Parley` that the widget ignores.
   * @param value first argument: an event or a text
   */
  describeCall(name: 'on' | 'send', value: unknown): string;
}

import type { DirectoryResolveResponse } from '../../api/bots/directory.schemas.ts';
import type { WidgetConfig } from '../../api/widget/widget.schemas.ts';
import type { BookingHook } from '../../sdk/typescript/src/widget.ts';
import type { Texts } from '../texts.ts';

// Types shared by the widget's script and the directory part, a script that the widget loads on demand. As with
// bookings, the part's URL contains a digest of this file.

interface DirectoryOptions {
  directory: NonNullable<WidgetConfig['directory']>;
  texts: Texts;
  onBook: BookingHook | undefined;
  /** Returns the link that belongs to a choice of the directory. */
  resolveChoice(category: string, choice: string): Promise<DirectoryResolveResponse>;
  describeError(error: unknown, texts: Texts): string;
  /** Called when the visitor closes the sheet with the directory. */
  onDone(): void;
}

export interface DirectoryModule {
  /** Fills a sheet in which the visitor selects a category and a choice, and gets the link of that choice. */
  showDirectory(sheet: HTMLElement, options: DirectoryOptions): void;
}

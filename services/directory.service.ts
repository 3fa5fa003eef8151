import { AppError } from '../core/errors.ts';
import type { DirectoryConfig, DirectoryEntry } from '../entities/bot.entity.ts';
import type { Database } from '../entities/database.ts';
import type { PageOrigin, WidgetService } from './conversations/widget.service.ts';

/** What a visitor has written or picked. */
export interface DirectoryChoice {
  category?: string;
  choice: string;
}

/** Bots' directories, as visitors use them. */
export class DirectoryService {
  readonly #widget: WidgetService;

  constructor(widget: WidgetService) {
    this.#widget = widget;
  }

  /**
   * The entry that a visitor means.
   * @throws AppError `not_found` where there is none, or the directory is off, and like `WidgetService.publicBot`
   */
  async resolve(
    db: Database,
    publicKey: string,
    page: PageOrigin,
    choice: DirectoryChoice,
  ): Promise<DirectoryEntry> {
    const { directoryConfig } = await this.#widget.publicBot(db, publicKey, page);
    if (!directoryConfig?.enabled) throw new AppError('not_found', 'The bot has no directory.');
    const entry = entryOf(directoryConfig, choice);
    if (!entry) throw new AppError('not_found', 'The directory has no such choice in this category.');
    return entry;
  }
}

/** Accents distinguish names; capitals and the width of characters do not. */
const names = new Intl.Collator('und', { sensitivity: 'accent' });

/** The first that fits; one that is written in exactly this way comes before those that are not. */
function entryOf(
  { entries = [] }: DirectoryConfig,
  { category = '', choice }: DirectoryChoice,
): DirectoryEntry | undefined {
  const exact = entries.find((entry) => entry.name === choice && (entry.category ?? '') === category);
  return (
    exact ?? entries.find((entry) => isSame(entry.name, choice) && isSame(entry.category ?? '', category))
  );
}

function isSame(one: string, other: string): boolean {
  return names.compare(singleSpaced(one), singleSpaced(other)) === 0;
}

function singleSpaced(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

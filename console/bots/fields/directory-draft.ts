import type { Bot, BotUpdate } from '../../client/types.ts';

type Directory = NonNullable<BotUpdate['directory_config']>;
export type DirectoryEntry = NonNullable<Directory['entries']>[number];

/** Form values of a bot's directory. */
export interface DirectoryDraft {
  directory_enabled: boolean;
  directory_category: string;
  directory_choice: string;
  /** Entries of the directory as JSON, so that form values can be compared as strings. */
  directory_entries: string;
}

export function toDirectoryDraft({ directory_config: config }: Bot): DirectoryDraft {
  const { enabled, category_label, choice_label, entries } = (config ?? {}) as Directory;
  return {
    directory_enabled: enabled ?? false,
    directory_category: category_label ?? 'Location',
    directory_choice: choice_label ?? 'Specialist',
    directory_entries: JSON.stringify(entries ?? []),
  };
}

/** Converts form values to the bot's directory; null if the directory is disabled and empty. */
export function toDirectoryConfig(draft: DirectoryDraft, bot: Bot): Directory | null {
  const entries = parseEntries(draft);
  if (!draft.directory_enabled && entries.length === 0) return null;
  return {
    ...(bot.directory_config as Directory | null),
    enabled: draft.directory_enabled,
    category_label: draft.directory_category,
    choice_label: draft.directory_choice,
    entries,
  };
}

export function parseEntries({
  directory_entries: entries,
}: Pick<DirectoryDraft, 'directory_entries'>): DirectoryEntry[] {
  return JSON.parse(entries) as DirectoryEntry[];
}

import type { WidgetConfig } from '../../../widget/preview/mount-preview.ts';
import type { Bot } from '../../client/types.ts';
import { lines } from '../fields/form-field.ts';
import { toConfiguration, type BotDraft } from '../fields/bot-draft.ts';
import { parseEntries } from '../fields/directory-draft.ts';
import { findThemeChanges, toThemeDraft } from '../fields/theme-draft.ts';

/**
 * Returns the widget configuration with which visitors would see the bot if the unsaved settings were saved.
 */
export function toWidgetConfig(bot: Bot, draft: BotDraft): WidgetConfig {
  const { lead_capture_config: form } = toConfiguration(draft, bot);
  return {
    // The preview of the widget must not share the visitor's storage with a widget of the same bot.
    public_key: `preview-${bot.id}`,
    name: draft.name,
    language: draft.language,
    welcome_message: draft.welcome_message || null,
    starter_questions: lines.read(draft.starter_questions),
    theme: toTheme(bot, draft),
    lead_capture: form?.enabled && form.fields?.length ? { ...form } : null,
    directory: draft.directory_enabled
      ? {
          category_label: draft.directory_category,
          choice_label: draft.directory_choice,
          entries: parseEntries(draft).map(({ category = '', name }) => ({ category, name })),
        }
      : null,
    handoff_enabled: draft.handoff_enabled,
    opening: null,
    booking: null,
    team: null,
  };
}

function toTheme({ widget_theme: stored }: Bot, draft: BotDraft): Record<string, unknown> {
  const { dark_palette: dark, ...changes } = findThemeChanges(toThemeDraft(stored), draft) ?? {};
  return {
    ...stored,
    ...changes,
    dark_palette: { ...(stored['dark_palette'] as object | null), ...dark },
  };
}

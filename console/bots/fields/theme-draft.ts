import { readAcceptedFiles } from '../../../core/conversations/accepted-files.ts';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { Bot, BotUpdate } from '../../client/types.ts';
import { darken } from './darken.ts';
import { toLauncherDraft, toLauncherTheme, type LauncherDraft } from './launcher-draft.ts';

type Theme = NonNullable<BotUpdate['widget_theme']>;
type Side = 'left' | 'right';
type Scheme = 'light' | 'dark' | 'auto';
type FileChoice = 'none' | 'images' | 'documents' | 'all';

/** Colors of the widget that the form can change, except the brand color, with their labels. */
export const themeColors = [
  ['user_bubble_text', 'Visitor message text'],
  ['bot_bubble_bg', 'Bot message background'],
  ['bot_bubble_text', 'Bot message text'],
  ['messages_bg', 'Conversation background'],
  ['panel_bg', 'Header and input background'],
  ['border_color', 'Borders'],
] as const;

/** Colors of the widget in dark mode. */
export const darkColors = [['primary_color', 'Brand color'], ...themeColors] as const;

type LightName = `theme_light_${(typeof themeColors)[number][0]}`;
type DarkName = `theme_dark_${(typeof darkColors)[number][0]}`;

/** Form values of the widget's theme. The form does not change other keys of the theme. */
export interface ThemeDraft extends Record<LightName | DarkName, string>, LauncherDraft {
  theme_color: string;
  theme_has_gradient: boolean;
  theme_from: string;
  theme_to: string;
  theme_angle: string;
  theme_position: Side;
  theme_scheme: Scheme;
  /** Files that visitors may send. */
  theme_files: FileChoice;
}

/** Brand color of a widget without a theme. */
export const DEFAULT_COLOR = '#2563eb';
const ANGLE = 135;
const HEX = /^#[0-9a-f]{6}$/i;

export function toThemeDraft(theme: Bot['widget_theme']): ThemeDraft {
  const { primary_color: color, gradient, position, dark_palette: dark, color_scheme: scheme } = theme;
  const { from_color, to_color, angle } = (gradient ?? {}) as Partial<NonNullable<Theme['gradient']>>;
  const brand = readColor(color) || DEFAULT_COLOR;
  return {
    theme_color: readColor(color),
    theme_has_gradient: typeof gradient === 'object' && gradient !== null,
    theme_from: from_color ?? brand,
    theme_to: to_color ?? darken(brand),
    theme_angle: String(angle ?? ANGLE),
    theme_position: position === 'left' ? 'left' : 'right',
    theme_scheme: scheme === 'dark' || scheme === 'auto' ? scheme : 'light',
    theme_files: readAcceptedFiles(theme) ? (theme.files as FileChoice) : 'none',
    ...toLauncherDraft(theme),
    ...(readColors('light', themeColors, theme) as Record<LightName, string>),
    ...(readColors('dark', darkColors, dark) as Record<DarkName, string>),
  };
}

/** Returns the form values of a gradient from the brand color to a darker color. */
export function deriveGradient(color: string): Pick<ThemeDraft, 'theme_from' | 'theme_to'> {
  const brand = HEX.test(color) ? color : DEFAULT_COLOR;
  return { theme_from: brand, theme_to: darken(brand) };
}

/** Returns the keys of the widget theme whose values changed; null if no value changed. */
export function findThemeChanges(stored: ThemeDraft, edited: ThemeDraft): Theme | null {
  const [before, after] = [toTheme(stored), toTheme(edited)];
  const dark = findChangedFields(before.dark_palette, after.dark_palette);
  const changes = {
    ...findChangedFields(before.theme, after.theme),
    ...(Object.keys(dark).length > 0 && { dark_palette: dark }),
  };
  return Object.keys(changes).length > 0 ? changes : null;
}

function toTheme(draft: ThemeDraft) {
  const gradient = {
    from_color: draft.theme_from.trim(),
    to_color: draft.theme_to.trim(),
    angle: Number(draft.theme_angle),
  };
  return {
    theme: {
      primary_color: draft.theme_color.trim() || null,
      gradient: draft.theme_has_gradient ? gradient : null,
      position: draft.theme_position,
      color_scheme: draft.theme_scheme,
      files: draft.theme_files === 'none' ? null : draft.theme_files,
      ...toLauncherTheme(draft),
      ...Object.fromEntries(themeColors.map(([name]) => [name, draft[`theme_light_${name}`].trim() || null])),
    },
    dark_palette: Object.fromEntries(
      darkColors.map(([name]) => [name, draft[`theme_dark_${name}`].trim() || null]),
    ),
  };
}

function readColors(
  scheme: 'light' | 'dark',
  names: readonly (readonly [string, string])[],
  colors: unknown,
) {
  const values = (colors ?? {}) as Record<string, unknown>;
  return Object.fromEntries(names.map(([name]) => [`theme_${scheme}_${name}`, readColor(values[name])]));
}

function readColor(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

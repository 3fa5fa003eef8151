import type { WidgetColor, WidgetTheme } from '../api/bots/bots.config.schemas.ts';
import type { WidgetOptions } from './faults/contract.ts';
import { colorNames, isColor } from './ui/palette.ts';

/** Names of the fields of `ParleySettings`, whose module needs the types of a browser. */
export const SETTINGS = ['identityToken', 'visitorId', 'language', 'onBook'];
export const ATTRIBUTES = ['bot', 'identityToken', 'language'];
/** Keys of a theme that are not colors, with the texts that they accept; null for objects. */
const THEME_TEXTS: Record<Exclude<keyof WidgetTheme, WidgetColor>, RegExp | null> = {
  gradient: null,
  dark_palette: null,
  color_scheme: /^(light|dark|auto)$/,
  position: /^(left|right)$/,
  avatar_url: /^https?:/,
};
export const THEME_KEYS: readonly string[] = [...colorNames, ...Object.keys(THEME_TEXTS)];

/**
 * Returns whether the page has set an option after the widget's script ran. Ignores new values of functions, because
 * pages that render again often create functions with the same behavior.
 */
export const isSetLate = (
  key: string,
  settings: Record<string, unknown>,
  current: Record<string, unknown>,
): boolean => key in current && current[key] !== settings[key] && typeof settings[key] !== 'function';

/**
 * Returns whether some option may be ignored. Only then is the part loaded that describes mistakes.
 * @param current `window.ParleySettings` now
 */
export function mayHaveFaults(
  { settings, attributes, theme }: WidgetOptions,
  current: Record<string, unknown>,
): boolean {
  const hasOther = (values: object, known: readonly string[]) =>
    Object.keys(values).some((key) => !known.includes(key));
  return (
    hasOther(current, SETTINGS) ||
    SETTINGS.some((key) => isSetLate(key, settings, current)) ||
    hasOther(attributes, ATTRIBUTES) ||
    hasOther(theme, THEME_KEYS) ||
    hasOther(theme.dark_palette ?? {}, colorNames) ||
    THEME_KEYS.some((key) => !isThemeValue(key as keyof WidgetTheme, theme[key as keyof WidgetTheme]))
  );
}

/** Returns whether the widget uses the value of a theme's key. Null and undefined stand for no value. */
export function isThemeValue(key: keyof WidgetTheme, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const pattern = key in THEME_TEXTS ? THEME_TEXTS[key as keyof typeof THEME_TEXTS] : undefined;
  if (pattern === undefined) return isColor(value);
  return pattern === null || (typeof value === 'string' && pattern.test(value));
}

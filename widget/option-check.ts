import type { WidgetColor } from '../api/bots/bots.config.schemas.ts';
import type { PageOptions, WidgetOptions } from './faults/contract.ts';
import type { ParleyEvents } from '../sdk/typescript/src/widget.ts';
import { MAX_MESSAGE_LENGTH } from '../browser/message-length.ts';
import { countCharacters } from '../browser/count-characters.ts';
import { isSupported } from './languages.ts';
import { colorNames, isColor } from './ui/palette.ts';

/** Names of the fields of `ParleySettings`. The module of that type needs the types of a browser. */
export const SETTINGS = ['identityToken', 'visitorId', 'language', 'onBook'];
export const ATTRIBUTES = ['bot', 'identityToken', 'language'];
/** Names of the events to which pages can listen with `Parley.on`. */
export const EVENTS: readonly string[] = [
  'open',
  'close',
  'message',
  'status',
] satisfies (keyof ParleyEvents)[];
/**
 * Matches the keys of a theme that are not colors, each with the beginning of the values that the widget
 * uses. `launcher`, `panel` and `greetings` are absent: the part that describes mistakes checks their keys.
 */
const THEME_ENTRY =
  /^(gradient |dark_palette |color_scheme (light|dark|auto)$|position (left|right)$|avatar_url https?:)/;

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
 * Returns whether the widget may ignore some option of the page. Only then is the script loaded that
 * describes mistakes.
 * @param current `window.ParleySettings` now
 */
export function mayHaveFaults(
  { settings, attributes, theme, globals }: WidgetOptions,
  current: Record<string, unknown>,
): boolean {
  const hasOther = (values: object, known: readonly string[]) =>
    Object.keys(values).some((key) => !known.includes(key));
  return (
    globals.some((name) => /^parley./i.test(name) && name !== 'ParleySettings') ||
    !isSupported(readLanguage({ settings, attributes })) ||
    !isVisitorId(settings['visitorId'] as string) ||
    hasOther(current, SETTINGS) ||
    SETTINGS.some((key) => isSetLate(key, settings, current)) ||
    hasOther(attributes, ATTRIBUTES) ||
    hasOther(theme.dark_palette ?? {}, colorNames) ||
    Object.entries(theme).some(([key, value]) => !isThemeEntry(key, value))
  );
}

/**
 * Returns whether the widget uses a key of a theme with this value. Null and undefined stand for no value.
 */
export const isThemeEntry = (key: string, value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (colorNames.includes(key as WidgetColor) ? isColor(value) : THEME_ENTRY.test(`${key} ${value as string}`));

/** Returns the widget language that the page sets; undefined if the page sets none. */
export const readLanguage = (options: Pick<PageOptions, 'settings' | 'attributes'>): string | undefined =>
  (options.attributes['language'] ?? options.settings['language']) as string | undefined;

/** Returns whether the page's id for the visitor is valid or missing. */
export const isVisitorId = (id: string | number | null | undefined): boolean =>
  id === undefined || (isText(id) && /^[^]{1,128}$/.test(String(id)));

/** Returns whether the widget can send a value as a message. */
export const isSendable = (value: unknown): boolean =>
  isText(value) && countCharacters(String(value)) <= MAX_MESSAGE_LENGTH;

export const isText = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

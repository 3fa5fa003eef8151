import type { WidgetOptions } from './faults/contract.ts';
import { colorNames, isColor } from './ui/palette.ts';

const SETTINGS = ['identityToken', 'visitorId', 'language', 'onBook'];
const ATTRIBUTES = ['bot', 'identityToken', 'language'];
const THEME_VALUES: Record<string, RegExp> = {
  gradient: /^/,
  dark_palette: /^/,
  color_scheme: /^(light|dark|auto)$/,
  position: /^(left|right)$/,
  avatar_url: /^https?:/,
};

/** Returns whether some option may be ignored. Only then is the part loaded that describes mistakes. */
export function mayHaveFaults({ settings, attributes, theme }: WidgetOptions): boolean {
  const hasOther = (values: object, known: readonly string[]) =>
    Object.keys(values).some((key) => !known.includes(key));
  const isKnownValue = ([key, value]: [string, unknown]) =>
    value === null ||
    (colorNames.some((name) => name === key)
      ? isColor(value)
      : Object.hasOwn(THEME_VALUES, key) && THEME_VALUES[key]!.test(value as string));
  return (
    hasOther(settings, SETTINGS) ||
    hasOther(attributes, ATTRIBUTES) ||
    hasOther(theme.dark_palette ?? {}, colorNames) ||
    !Object.entries(theme).every(isKnownValue)
  );
}

import type { WidgetColor, WidgetTheme } from '../../api/bots/bots.config.schemas.ts';
import { findNearestNames } from '../../core/text/nearest-names.ts';
import { toSafeLink } from '../../browser/safe-link.ts';
import { colorNames, isColor } from '../ui/palette.ts';
import { colorSchemes } from '../ui/theme.ts';

const FURTHER_KEYS: Record<Exclude<keyof WidgetTheme, WidgetColor>, true> = {
  gradient: true,
  dark_palette: true,
  color_scheme: true,
  position: true,
  avatar_url: true,
};

/** Lists the keys and values of a theme that the widget ignores, each with what to write instead. */
export function listThemeFaults(theme: WidgetTheme): string[] {
  return [
    ...listUnknownKeys('widget_theme', theme, [...colorNames, ...Object.keys(FURTHER_KEYS)]),
    ...listUnknownKeys('widget_theme.dark_palette', theme.dark_palette ?? {}, colorNames),
    ...listInvalidValues(theme),
  ];
}

/** Lists the unknown keys of an object, each with the known keys that may be meant. */
export function listUnknownKeys(path: string, values: object, known: readonly string[]): string[] {
  return Object.keys(values)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = findNearestNames(key, known);
      const hint =
        near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known keys: ${known.join(', ')}.`;
      return `${path}.${key} is not a known key and is ignored. ${hint}`;
    });
}

function listInvalidValues(theme: WidgetTheme): string[] {
  const { position = null, avatar_url: url = null, color_scheme: scheme = null } = theme;
  const isScheme = colorSchemes.some((each) => each === scheme);
  const colors = colorNames.filter((name) => (theme[name] ?? null) !== null && !isColor(theme[name]));
  const isImage = typeof url === 'string' && toSafeLink(url)?.startsWith('http');
  return [
    ...colors.map((name) => `widget_theme.${name} is not a color such as #2563eb and is ignored.`),
    ...(position === null || position === 'left' || position === 'right'
      ? []
      : ['widget_theme.position is neither left nor right and is ignored.']),
    ...(scheme === null || isScheme
      ? []
      : ['widget_theme.color_scheme is not light, dark or auto and is ignored.']),
    ...(url === null || isImage ? [] : ['widget_theme.avatar_url is not an http URL and is ignored.']),
  ];
}

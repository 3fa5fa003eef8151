import type { WidgetColor, WidgetTheme } from '../../api/bots/bots.config.schemas.ts';
import { readAcceptedFiles } from '../../core/conversations/accepted-files.ts';
import { findNearestNames } from '../../core/text/nearest-names.ts';
import { toSafeLink } from '../../browser/safe-link.ts';
import {
  BOUNDS,
  GREETING_KEYS,
  LAUNCHER_KEYS,
  PANEL_KEYS,
  readGreetings,
} from '../launcher/read-launcher.ts';
import { isThemeEntry } from '../option-check.ts';
import { colorNames } from '../ui/palette.ts';

const OTHER_KEYS = [
  'gradient',
  'dark_palette',
  'color_scheme',
  'position',
  'avatar_url',
  'launcher',
  'panel',
  'greetings',
  'files',
] satisfies Exclude<keyof WidgetTheme, WidgetColor>[];
const THEME_KEYS: readonly string[] = [...colorNames, ...OTHER_KEYS];

/**
 * Lists the keys and values of the bot's theme that the widget ignores, each with advice for the page's
 * developer.
 */
export function listThemeFaults(theme: WidgetTheme): string[] {
  return [
    ...listUnknownKeys('widget_theme', theme, THEME_KEYS),
    ...listUnknownKeys('widget_theme.dark_palette', theme.dark_palette ?? {}, colorNames),
    ...listInvalidValues(theme),
    ...listFaultsOfObject('widget_theme.launcher', theme.launcher, LAUNCHER_KEYS),
    ...listFaultsOfObject('widget_theme.panel', theme.panel, PANEL_KEYS),
    ...listGreetingFaults(theme.greetings),
    ...listFilesFaults(theme.files),
  ];
}

/** Lists the unknown keys of an object in the theme, and its numbers that are out of bounds. */
function listFaultsOfObject(path: string, value: unknown, known: readonly string[]): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [`${path} is not an object and is ignored.`];
  const numbers = Object.entries(value).flatMap(([key, entry]: [string, unknown]) => {
    const bounds = BOUNDS[key];
    if (!bounds || !known.includes(key) || entry === null) return [];
    const [min, max] = bounds;
    return typeof entry === 'number' && entry >= min && entry <= max
      ? []
      : [`${path}.${key} is not a number from ${min} to ${max} and is ignored.`];
  });
  return [...listUnknownKeys(path, value, known), ...numbers];
}

function listGreetingFaults(greetings: unknown): string[] {
  if (greetings === null || greetings === undefined) return [];
  if (!Array.isArray(greetings)) return ['widget_theme.greetings is not a list and is ignored.'];
  return greetings.flatMap((greeting: unknown, at) => {
    const path = `widget_theme.greetings[${at}]`;
    const hasText = readGreetings({ greetings: [greeting] }).length > 0;
    return [
      ...listFaultsOfObject(path, greeting, GREETING_KEYS),
      ...(hasText ? [] : [`${path} has no text and is ignored.`]),
    ];
  });
}

function listFilesFaults(files: unknown): string[] {
  if (files === null || files === undefined || readAcceptedFiles({ files })) return [];
  return ['widget_theme.files is neither images, documents nor all, and is ignored.'];
}

/**
 * Lists the unknown keys of an object with options, each with the known keys that may be meant.
 * @param findAdvice returns what to do in place of the known keys
 */
export function listUnknownKeys(
  path: string,
  values: object,
  known: readonly string[],
  findAdvice: (key: string) => string | undefined = () => undefined,
): string[] {
  return Object.keys(values)
    .filter((key) => !known.includes(key))
    .map((key) => {
      const near = findNearestNames(key, known);
      const hint =
        near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : (findAdvice(key) ?? `Known keys: ${known.join(', ')}.`);
      return `${path}.${key} is not a known key and is ignored. ${hint}`;
    });
}

function listInvalidValues(theme: WidgetTheme): string[] {
  const { avatar_url: url = null } = theme;
  const isInvalid = (key: keyof WidgetTheme) => !isThemeEntry(key, theme[key]);
  const isImage = typeof url === 'string' && toSafeLink(url)?.startsWith('http');
  return [
    ...colorNames
      .filter(isInvalid)
      .map((name) => `widget_theme.${name} is not a color such as #2563eb and is ignored.`),
    ...(isInvalid('position') ? ['widget_theme.position is neither left nor right, and is ignored.'] : []),
    ...(isInvalid('color_scheme')
      ? ['widget_theme.color_scheme is neither light, dark nor auto, and is ignored.']
      : []),
    ...(url === null || isImage ? [] : ['widget_theme.avatar_url is not an http URL and is ignored.']),
  ];
}

import { toSafeLink } from '../../browser/safe-link.ts';
import type { WidgetTheme } from '../../api/bots/bots.config.schemas.ts';
import {
  codeBackground,
  buildDarkPalette,
  isColor,
  buildLightPalette,
  mixColors,
  makeGradientReadable,
  chooseReadableColor,
  type Palette,
} from './palette.ts';

const ERROR = '#b91c1c';

export interface Appearance {
  /** CSS rules that define the custom properties for the widget's colors and fonts. */
  css: string;
  position: 'left' | 'right';
  avatarUrl: string | null;
}

const colorSchemes = ['light', 'dark', 'auto'] as const;

export type ColorScheme = (typeof colorSchemes)[number];

/**
 * Reads the appearance of the widget from a theme. Ignores invalid colors, schemes, positions and URLs.
 * @param scheme color scheme in place of that of the theme
 */
export function readAppearance(theme: WidgetTheme, scheme = readScheme(theme)): Appearance {
  const avatarUrl = typeof theme.avatar_url === 'string' ? toSafeLink(theme.avatar_url) : null;
  return {
    css: formatSchemes(
      formatProperties(theme, buildLightPalette(theme)),
      formatProperties(theme, buildDarkPalette(theme)),
      scheme,
    ),
    position: theme.position === 'left' ? 'left' : 'right',
    avatarUrl: avatarUrl?.startsWith('http') ? avatarUrl : null,
  };
}

function readScheme({ color_scheme: scheme }: WidgetTheme): ColorScheme {
  return colorSchemes.find((each) => each === scheme) ?? 'light';
}

function formatSchemes(light: string, dark: string, scheme: ColorScheme): string {
  if (scheme !== 'auto') return `.widget{${scheme === 'dark' ? dark : light};color-scheme:${scheme}}`;
  return `.widget{${light}}@media (prefers-color-scheme:dark){.widget{${dark}}}`;
}

function formatProperties(theme: WidgetTheme, palette: Palette): string {
  const { panel_bg: panel, messages_bg: messages, bot_bubble_text: requested } = palette;
  const onMessages = chooseReadableColor([messages], requested);
  const values = {
    primary: palette.primary_color,
    'on-primary': palette.user_bubble_text,
    ...createBrand(theme.gradient, palette.primary_color),
    'bot-bg': palette.bot_bubble_bg,
    'bot-text': requested,
    code: codeBackground(palette),
    messages,
    'on-messages': onMessages,
    'messages-error': chooseReadableColor([messages], ERROR),
    hint: chooseReadableColor([messages], mixColors(onMessages, messages, 0.3)),
    panel,
    border: palette.border_color,
    text: chooseReadableColor([panel], requested),
    error: chooseReadableColor([panel], ERROR),
    link: chooseReadableColor([palette.bot_bubble_bg], palette.primary_color),
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

function createBrand(requested: unknown, primary: string): { brand: string; 'on-brand': string } {
  const gradient = parseGradient(requested);
  if (!gradient) return { brand: primary, 'on-brand': chooseReadableColor([primary], '#ffffff') };
  const { from, to, text } = makeGradientReadable(gradient.from, gradient.to);
  return { brand: `linear-gradient(${gradient.angle}deg,${from},${to})`, 'on-brand': text };
}

function parseGradient(value: unknown): { from: string; to: string; angle: number } | null {
  const { from_color: from, to_color: to, angle } = (value ?? {}) as Record<string, unknown>;
  if (!isColor(from) || !isColor(to)) return null;
  return { from, to, angle: typeof angle === 'number' && Number.isFinite(angle) ? angle : 135 };
}

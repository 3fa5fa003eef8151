import type { WidgetColor, WidgetTheme } from '../../api/bots/bots.config.schemas.ts';

/** Colors of the widget for a bot without its own theme. */
const DEFAULT_COLORS: Palette = {
  primary_color: '#2563eb',
  user_bubble_text: '#ffffff',
  bot_bubble_bg: '#eef2f7',
  bot_bubble_text: '#0f172a',
  messages_bg: '#ffffff',
  panel_bg: '#ffffff',
  border_color: '#d5dce6',
};

export type Palette = Record<WidgetColor, string>;

export const colorNames = Object.keys(DEFAULT_COLORS) as WidgetColor[];

/** Lightness, from 0 to 1, of the widget's colors in dark mode that are derived from the light colors. */
const DARK_LIGHTNESS: Partial<Record<WidgetColor, number>> = {
  bot_bubble_bg: 0.2,
  messages_bg: 0.09,
  panel_bg: 0.12,
  border_color: 0.3,
};

const HEX = /^#[0-9a-f]{6}$/i;
/** Minimum contrasts by WCAG 2: for text of normal size (4.5) and for parts of controls (3). */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;

export function buildLightPalette(theme: WidgetTheme): Palette {
  return makeReadable({ ...DEFAULT_COLORS, ...pickColors(theme) });
}

/**
 * Returns the widget's colors for a theme in dark mode. Colors that the theme does not define are derived
 * from its light colors.
 */
export function buildDarkPalette(theme: WidgetTheme): Palette {
  const base = buildLightPalette(theme);
  const ownColors = pickColors(theme.dark_palette);
  const derived = Object.fromEntries(
    colorNames.map((name) => [
      name,
      DARK_LIGHTNESS[name] ? setLightness(base[name], DARK_LIGHTNESS[name]) : base[name],
    ]),
  ) as Palette;
  derived.bot_bubble_text = '#f1f5f9';
  const palette = { ...derived, ...ownColors };
  if (!ownColors.primary_color) palette.primary_color = makeVisible(palette.panel_bg, palette.primary_color);
  if (!ownColors.user_bubble_text) palette.user_bubble_text = base.user_bubble_text;
  return makeReadable(palette);
}

/** Returns the requested text color if it is readable; otherwise black or white, whichever has more contrast. */
export function chooseReadableColor(backgrounds: string[], requested: string): string {
  const minContrast = (color: string) =>
    Math.min(...backgrounds.map((background) => contrastRatio(background, color)));
  if (minContrast(requested) >= TEXT_CONTRAST) return requested;
  return minContrast('#ffffff') >= minContrast('#000000') ? '#ffffff' : '#000000';
}

/** Positions in the theme's gradient, from 0 to 1, at which its contrast with the text is checked. */
const SAMPLE_POSITIONS = Array.from({ length: 9 }, (_, index) => index / 8);

/**
 * Changes the colors of the theme's gradient until text is readable everywhere on it. Darkens the gradient
 * for white text and lightens it for black text.
 */
export function makeGradientReadable(from: string, to: string): { from: string; to: string; text: string } {
  const text = chooseReadableColor(sampleGradient(from, to), '#ffffff');
  const oppositeColor = text === '#ffffff' ? '#000000' : '#ffffff';
  for (let share = 0; ; share += 0.05) {
    const ends = { from: mixColors(from, oppositeColor, share), to: mixColors(to, oppositeColor, share) };
    const isReadable = sampleGradient(ends.from, ends.to).every(
      (color) => contrastRatio(color, text) >= TEXT_CONTRAST,
    );
    if (isReadable || share >= 1) return { ...ends, text };
  }
}

function sampleGradient(from: string, to: string): string[] {
  return SAMPLE_POSITIONS.map((position) => mixColors(from, to, position));
}

/**
 * Mixes two colors.
 * @param share portion of the other color, from 0 to 1
 */
export function mixColors(color: string, other: string, share: number): string {
  const others = parseChannels(other);
  const parts = parseChannels(color).map((value, index) => value + (others[index]! - value) * share);
  return `#${parts.map(toHex).join('')}`;
}

export function contrastRatio(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

export function isColor(value: unknown): value is string {
  return typeof value === 'string' && HEX.test(value);
}

function pickColors(value: unknown): Partial<Palette> {
  const values = (value ?? {}) as Record<string, unknown>;
  return Object.fromEntries(
    colorNames.flatMap((name) => (isColor(values[name]) ? [[name, values[name]]] : [])),
  );
}

function makeReadable(palette: Palette): Palette {
  return {
    ...palette,
    user_bubble_text: chooseReadableColor([palette.primary_color], palette.user_bubble_text),
    bot_bubble_text: chooseReadableColor(bubbleBackgrounds(palette), palette.bot_bubble_text),
  };
}

/**
 * Returns the background colors on which the bot's text is shown: of message bubbles, and of code in them.
 */
function bubbleBackgrounds(palette: Palette): string[] {
  return [palette.bot_bubble_bg, codeBackground(palette)];
}

export function codeBackground({ bot_bubble_bg: background }: Palette): string {
  return mixColors(background, '#7f7f7f', 0.18);
}

function makeVisible(background: string, color: string): string {
  for (let lightness = 0.5; lightness < 0.95; lightness += 0.05) {
    if (contrastRatio(background, color) >= CONTROL_CONTRAST) return color;
    color = setLightness(color, lightness);
  }
  return color;
}

function luminance(color: string): number {
  const [red, green, blue] = parseChannels(color).map((value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a color that is changed to the given lightness and limited saturation. */
function setLightness(color: string, lightness: number): string {
  const [red, green, blue] = parseChannels(color);
  const max = Math.max(red, green, blue);
  const min = Math.min(red, green, blue);
  const range = max - min;
  const middle = (max + min) / 2;
  const saturation = range === 0 ? 0 : range / (1 - Math.abs(2 * middle - 1));
  const hue = range === 0 ? 0 : calculateHue(red, green, blue, max, range);
  const chroma = (1 - Math.abs(2 * lightness - 1)) * Math.min(saturation, lightness < 0.4 ? 0.3 : 0.9);
  const channel = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return lightness - (chroma / 2) * Math.max(-1, Math.min(turn - 3, 9 - turn, 1));
  };
  return `#${[channel(0), channel(8), channel(4)].map(toHex).join('')}`;
}

function calculateHue(red: number, green: number, blue: number, max: number, range: number): number {
  if (max === red) return (60 * ((green - blue) / range) + 360) % 360;
  return max === green ? 60 * ((blue - red) / range) + 120 : 60 * ((red - green) / range) + 240;
}

function parseChannels(color: string): [number, number, number] {
  const at = (index: number) => parseInt(color.slice(index, index + 2), 16) / 255;
  return [at(1), at(3), at(5)];
}

function toHex(value: number): string {
  return Math.round(value * 255)
    .toString(16)
    .padStart(2, '0');
}

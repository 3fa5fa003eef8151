import { safeLink } from '../safe-link.ts';
import { darkPalette, isColour, lightPalette, readableOn, type Palette, type Theme } from './palette.ts';

export interface Look {
  /** Style rules that give the custom properties their values. */
  css: string;
  position: 'left' | 'right';
  avatarUrl: string | null;
}

/** What a bot's theme means; whatever it holds that is no colour, position or address is passed over. */
export function lookOf(theme: Theme): Look {
  const avatarUrl = typeof theme['avatar_url'] === 'string' ? safeLink(theme['avatar_url']) : null;
  return {
    css: `.widget{${properties(theme, lightPalette(theme))}}@media (prefers-color-scheme:dark){.widget{${properties(theme, darkPalette(theme))}}}`,
    position: theme['position'] === 'left' ? 'left' : 'right',
    avatarUrl: avatarUrl?.startsWith('http') ? avatarUrl : null,
  };
}

function properties(theme: Theme, palette: Palette): string {
  const gradient = gradientOf(theme['gradient']);
  const grounds = gradient ? [gradient.from, gradient.to] : [palette.primary_color];
  const values = {
    primary: palette.primary_color,
    'on-primary': palette.user_bubble_text,
    brand: gradient
      ? `linear-gradient(${gradient.angle}deg,${gradient.from},${gradient.to})`
      : palette.primary_color,
    'on-brand': readableOn(grounds, '#ffffff'),
    'bot-bg': palette.bot_bubble_bg,
    'bot-text': palette.bot_bubble_text,
    messages: palette.messages_bg,
    panel: palette.panel_bg,
    border: palette.border_color,
    text: readableOn([palette.panel_bg, palette.messages_bg], palette.bot_bubble_text),
    error: readableOn([palette.panel_bg, palette.messages_bg], '#b91c1c'),
    link: readableOn([palette.bot_bubble_bg], palette.primary_color),
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

function gradientOf(value: unknown): { from: string; to: string; angle: number } | null {
  const { from_color: from, to_color: to, angle } = (value ?? {}) as Record<string, unknown>;
  if (!isColour(from) || !isColour(to)) return null;
  return { from, to, angle: typeof angle === 'number' && Number.isFinite(angle) ? angle : 135 };
}

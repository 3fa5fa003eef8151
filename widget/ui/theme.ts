import { toSafeLink } from '../../browser/safe-link.ts';
import type { WidgetTheme } from '../../api/bots/bots.config.schemas.ts';
import {
  codeGround,
  darkPalette,
  isColour,
  lightPalette,
  mixed,
  readableGradient,
  readableOn,
  type Palette,
} from './palette.ts';

const ERROR = '#b91c1c';

export interface Look {
  /** CSS rules that define the custom properties. */
  css: string;
  position: 'left' | 'right';
  avatarUrl: string | null;
}

/** Reads a theme. Invalid colours, positions and URLs are ignored. */
export function lookOf(theme: WidgetTheme): Look {
  const avatarUrl = typeof theme.avatar_url === 'string' ? toSafeLink(theme.avatar_url) : null;
  return {
    css: `.widget{${properties(theme, lightPalette(theme))}}@media (prefers-color-scheme:dark){.widget{${properties(theme, darkPalette(theme))}}}`,
    position: theme.position === 'left' ? 'left' : 'right',
    avatarUrl: avatarUrl?.startsWith('http') ? avatarUrl : null,
  };
}

function properties(theme: WidgetTheme, palette: Palette): string {
  const { panel_bg: panel, messages_bg: messages, bot_bubble_text: wished } = palette;
  const onMessages = readableOn([messages], wished);
  const values = {
    primary: palette.primary_color,
    'on-primary': palette.user_bubble_text,
    ...brandOf(theme.gradient, palette.primary_color),
    'bot-bg': palette.bot_bubble_bg,
    'bot-text': wished,
    code: codeGround(palette),
    messages,
    'on-messages': onMessages,
    'messages-error': readableOn([messages], ERROR),
    hint: readableOn([messages], mixed(onMessages, messages, 0.3)),
    panel,
    border: palette.border_color,
    text: readableOn([panel], wished),
    error: readableOn([panel], ERROR),
    link: readableOn([palette.bot_bubble_bg], palette.primary_color),
  };
  return Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}

function brandOf(wished: unknown, primary: string): { brand: string; 'on-brand': string } {
  const gradient = gradientOf(wished);
  if (!gradient) return { brand: primary, 'on-brand': readableOn([primary], '#ffffff') };
  const { from, to, text } = readableGradient(gradient.from, gradient.to);
  return { brand: `linear-gradient(${gradient.angle}deg,${from},${to})`, 'on-brand': text };
}

function gradientOf(value: unknown): { from: string; to: string; angle: number } | null {
  const { from_color: from, to_color: to, angle } = (value ?? {}) as Record<string, unknown>;
  if (!isColour(from) || !isColour(to)) return null;
  return { from, to, angle: typeof angle === 'number' && Number.isFinite(angle) ? angle : 135 };
}

import { findChangedFields } from '../client/find-changed-fields.ts';
import type { BotRead, BotUpdate } from '../client/types.ts';

type Theme = NonNullable<BotUpdate['widget_theme']>;
type Side = 'left' | 'right';

/** Form values of the widget's theme. The form does not change other keys of the theme. */
export interface ThemeDraft {
  theme_color: string;
  theme_has_gradient: boolean;
  theme_from: string;
  theme_to: string;
  theme_angle: string;
  theme_position: Side;
}

const usual = { from_color: '#3b82f6', to_color: '#1e40af', angle: 135 } as const;

export function toThemeDraft({
  primary_color: color,
  gradient,
  position,
}: BotRead['widget_theme']): ThemeDraft {
  const { from_color: from, to_color: to, angle } = { ...usual, ...(gradient as Partial<Theme['gradient']>) };
  return {
    theme_color: typeof color === 'string' ? color : '',
    theme_has_gradient: typeof gradient === 'object' && gradient !== null,
    theme_from: from,
    theme_to: to,
    theme_angle: String(angle),
    theme_position: position === 'left' ? 'left' : 'right',
  };
}

/** Returns the keys of the theme whose values changed; null if none did. */
export function findThemeChanges(stored: ThemeDraft, wanted: ThemeDraft): Theme | null {
  const changes = findChangedFields(toTheme(stored), toTheme(wanted));
  return Object.keys(changes).length > 0 ? changes : null;
}

function toTheme(draft: ThemeDraft): Theme {
  const gradient = {
    from_color: draft.theme_from.trim(),
    to_color: draft.theme_to.trim(),
    angle: Number(draft.theme_angle),
  };
  return {
    primary_color: draft.theme_color.trim() || null,
    gradient: draft.theme_has_gradient ? gradient : null,
    position: draft.theme_position,
  };
}

import { readGreetings, readLauncher } from '../../../widget/launcher/read-launcher.ts';
import type { Bot } from '../../client/types.ts';
import { lines, optionalNumber, optionalText } from './form-field.ts';

/** A greeting in the form. */
export interface GreetingDraft {
  text: string;
  /** Patterns of pages, one per line. */
  pages: string;
  afterSeconds: string;
}

/** Form values of the widget's launcher, panel and greetings. */
export interface LauncherDraft {
  launcher_label: string;
  launcher_hidden: boolean;
  launcher_x: string;
  launcher_y: string;
  panel_width: string;
  panel_height: string;
  /** List of `GreetingDraft` as JSON. */
  greetings: string;
}

export function toLauncherDraft(theme: Bot['widget_theme']): LauncherDraft {
  const { label, isHidden, offsetX, offsetY, width, height } = readLauncher(theme);
  const show = (value: number | undefined) => optionalNumber.show(value ?? null);
  const greetings = readGreetings(theme).map(({ text, pages, afterSeconds }): GreetingDraft => ({
    text,
    pages: lines.show(pages),
    afterSeconds: String(afterSeconds),
  }));
  return {
    launcher_label: label ?? '',
    launcher_hidden: isHidden,
    launcher_x: show(offsetX),
    launcher_y: show(offsetY),
    panel_width: show(width),
    panel_height: show(height),
    greetings: JSON.stringify(greetings),
  };
}

export function parseGreetings({ greetings }: LauncherDraft): GreetingDraft[] {
  return JSON.parse(greetings) as GreetingDraft[];
}

/** Returns the keys of the theme that the form values stand for. Null removes a key. */
export function toLauncherTheme(draft: LauncherDraft) {
  const launcher = dropEmpty({
    label: optionalText.read(draft.launcher_label.trim()),
    hidden: draft.launcher_hidden || null,
    offset_x: optionalNumber.read(draft.launcher_x),
    offset_y: optionalNumber.read(draft.launcher_y),
  });
  const panel = dropEmpty({
    width: optionalNumber.read(draft.panel_width),
    height: optionalNumber.read(draft.panel_height),
  });
  const greetings = parseGreetings(draft)
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, pages, afterSeconds }) => ({
      text: text.trim(),
      ...dropEmpty({ pages: pages.trim() === '' ? null : lines.read(pages) }),
      after_seconds: Number(afterSeconds),
    }));
  return { launcher, panel, greetings: greetings.length > 0 ? greetings : null };
}

/** Removes null values. Returns null if no value is left. */
function dropEmpty(values: Record<string, unknown>): Record<string, unknown> | null {
  const filled = Object.entries(values).filter(([, value]) => value !== null);
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

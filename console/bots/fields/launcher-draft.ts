import {
  MAX_GREETINGS,
  readGreetings,
  readLauncher,
  toObject,
  type LauncherTheme,
} from '../../../widget/launcher/read-launcher.ts';
import { findChangedFields } from '../../client/find-changed-fields.ts';
import type { Bot } from '../../client/types.ts';
import { lines, optionalNumber, optionalText } from './form-field.ts';

/** A greeting of the widget, as form values. */
export interface GreetingDraft {
  text: string;
  /** Patterns of the pages on which the widget shows the greeting, one per line. */
  pages: string;
  afterSeconds: string;
  /** The stored greeting, whose fields without an input remain unchanged; missing for a new greeting. */
  stored?: unknown;
}

/** Form values of the widget's launcher, panel and greetings. */
export interface LauncherDraft {
  launcher_label: string;
  launcher_hidden: boolean;
  launcher_x: string;
  launcher_y: string;
  panel_width: string;
  panel_height: string;
  /** List of greetings (`GreetingDraft`) as JSON. */
  greetings: string;
  /** Stored launcher, panel and greetings as JSON. Values that the form does not show remain unchanged. */
  launcher_stored: string;
}

export function toLauncherDraft(theme: Bot['widget_theme']): LauncherDraft {
  const { launcher, panel, greetings: stored } = theme;
  const greetings = listStored(stored).flatMap((each) => {
    const shown = toGreetingDraft(each);
    return shown ? [{ ...shown, stored: each }] : [];
  });
  return {
    ...showLauncher(theme),
    greetings: JSON.stringify(greetings.slice(0, MAX_GREETINGS)),
    launcher_stored: JSON.stringify({ launcher, panel, greetings: stored }),
  };
}

function showLauncher(theme: LauncherTheme): Omit<LauncherDraft, 'greetings' | 'launcher_stored'> {
  const { label, isHidden, offsetX, offsetY, width, height } = readLauncher(theme);
  const show = (value: number | undefined) => optionalNumber.show(value ?? null);
  return {
    launcher_label: label ?? '',
    launcher_hidden: isHidden,
    launcher_x: show(offsetX),
    launcher_y: show(offsetY),
    panel_width: show(width),
    panel_height: show(height),
  };
}

/** Returns the form values of a stored greeting; undefined if the widget does not show the greeting. */
function toGreetingDraft(stored: unknown): GreetingDraft | undefined {
  const [greeting] = readGreetings({ greetings: [stored] });
  if (!greeting) return undefined;
  const { text, pages, afterSeconds } = greeting;
  return { text, pages: lines.show(pages), afterSeconds: String(afterSeconds) };
}

const listStored = (greetings: unknown): unknown[] => (Array.isArray(greetings) ? greetings : []);

export function parseGreetings({ greetings }: LauncherDraft): GreetingDraft[] {
  return JSON.parse(greetings) as GreetingDraft[];
}

/**
 * Returns the theme's values for launcher, panel and greetings from the form. Null removes a value. Stored
 * values that the form does not show, such as unknown keys, remain.
 */
export function toLauncherTheme(draft: LauncherDraft) {
  const stored = JSON.parse(draft.launcher_stored) as LauncherTheme;
  const [launcher, panel] = [toObject(stored.launcher), toObject(stored.panel)];
  const shown = showLauncher(stored);
  const choose = (name: keyof typeof shown, storedValue: unknown, value: unknown) =>
    draft[name] === shown[name] ? (storedValue ?? null) : value;
  const chooseNumber = (name: Exclude<keyof typeof shown, 'launcher_hidden'>, storedValue: unknown) =>
    choose(name, storedValue, optionalNumber.read(draft[name]));
  const greetings = toGreetings(draft, listStored(stored.greetings));
  return {
    launcher: dropEmpty({
      ...launcher,
      label: choose('launcher_label', launcher['label'], optionalText.read(draft.launcher_label.trim())),
      hidden: choose('launcher_hidden', launcher['hidden'], draft.launcher_hidden || null),
      offset_x: chooseNumber('launcher_x', launcher['offset_x']),
      offset_y: chooseNumber('launcher_y', launcher['offset_y']),
    }),
    panel: dropEmpty({
      ...panel,
      width: chooseNumber('panel_width', panel['width']),
      height: chooseNumber('panel_height', panel['height']),
    }),
    greetings: greetings.length > 0 ? greetings : null,
  };
}

/** Returns the edited greetings. Stored greetings that the form does not show remain at their positions. */
function toGreetings(draft: LauncherDraft, stored: readonly unknown[]): unknown[] {
  const greetings: unknown[] = parseGreetings(draft)
    .filter(({ text }) => text.trim() !== '')
    .map(toGreeting);
  let shownCount = 0;
  for (const [index, each] of stored.entries()) {
    if (toGreetingDraft(each) && (shownCount += 1) <= MAX_GREETINGS) continue;
    greetings.splice(index, 0, each);
  }
  return greetings;
}

function toGreeting({ stored, ...edited }: GreetingDraft): unknown {
  const shown = toGreetingDraft(stored);
  if (shown && Object.keys(findChangedFields(shown, edited)).length === 0) return stored;
  const { text, pages, afterSeconds } = edited;
  const { pages: _, ...others } = toObject(stored);
  return {
    ...others,
    text: text.trim(),
    ...dropEmpty({ pages: pages.trim() === '' ? null : lines.read(pages) }),
    after_seconds: Number(afterSeconds),
  };
}

/** Removes null values from an object. Returns null if no value is left. */
function dropEmpty(values: Record<string, unknown>): Record<string, unknown> | null {
  const filled = Object.entries(values).filter(([, value]) => value !== null);
  return filled.length > 0 ? Object.fromEntries(filled) : null;
}

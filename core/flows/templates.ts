import { isPath, textOf, valueAt, type FlowValues } from './flow-values.ts';

/** `{{path|fallback}}`; whatever is not closed, or holds braces, is text. */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** Characters of all values that are looked at for one template; what comes later is left out. */
const ROOM = 200_000;

type Place = (value: string, placeholder: Placeholder) => string;

interface Placeholder {
  raw: unknown;
  /** Whether there was no value. */
  isFallback: boolean;
  /** Where in the template it begins and ends. */
  at: number;
  end: number;
}

/**
 * Puts values where the template names them, in one pass: braces within a value are text.
 * @param place how a value is written where it comes to stand
 */
function filled(template: string, values: FlowValues, place: Place): string {
  let room = ROOM;
  return template.replaceAll(
    PLACEHOLDER,
    (whole: string, path: string, fallback: string | undefined, at: number) => {
      const name = path.trim();
      if (!isPath(name)) return whole;
      if (room <= 0) return '';
      const found = valueAt(values, name);
      const text = textOf(found);
      const isFallback = text.trim() === '';
      const raw = isFallback ? (fallback ?? '') : found;
      const written = place(textOf(raw), { raw, isFallback, at, end: at + whole.length });
      room -= Math.max(text.length, written.length);
      return written;
    },
  );
}

/** For what is searched, kept or told a model: as it is. */
export function plainText(template: string, values: FlowValues): string {
  return filled(template, values, (value) => value);
}

/** The marks of Markdown in a value are text, and it stays in its line. */
export function markdownText(template: string, values: FlowValues): string {
  return filled(template, values, escapedMarkdown);
}

function escapedMarkdown(value: string): string {
  return value
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_~![\]<>#|]/g, '\\$&')
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** A value within quotes is a part of that text; elsewhere it is a value of JSON as a whole. */
export function jsonText(template: string, values: FlowValues): string {
  let inQuotes = false;
  let read = 0;
  return filled(template, values, (value, { raw, isFallback, at, end }) => {
    inQuotes = endsInQuotes(template.slice(read, at), inQuotes);
    read = end;
    if (inQuotes) return JSON.stringify(value).slice(1, -1);
    return isFallback ? asJson(value) : JSON.stringify(raw);
  });
}

function endsInQuotes(literal: string, fromInside: boolean): boolean {
  let inside = fromInside;
  for (let at = 0; at < literal.length; at += 1) {
    if (literal[at] === '\\') at += 1;
    else if (literal[at] === '"') inside = !inside;
  }
  return inside;
}

/** What the author has written in the place of a value: JSON as it is, and other words as a text; nothing is null. */
function asJson(fallback: string): string {
  if (fallback.trim() === '') return 'null';
  try {
    return JSON.stringify(JSON.parse(fallback));
  } catch {
    return JSON.stringify(fallback);
  }
}

const DOTS = /^(\.|%2e){1,2}$/i;

/** The address with each value as one part of it; null where a value would lead elsewhere, as `..` does. */
export function addressOf(template: string, values: FlowValues): string | null {
  const address = filled(template, values, (value) => encodeURIComponent(value.toWellFormed()));
  const [path = ''] = address.split(/[?#]/);
  return path.split(/[/\\]/).some((part) => DOTS.test(part)) ? null : address;
}

/** In one line. */
export function headerText(template: string, values: FlowValues): string {
  return filled(template, values, (value) => value.replaceAll(/[^\x20-\x7e]+/g, ' ').trim());
}

/** The paths that a template names, with what stands in the place of nothing. */
export function placeholdersIn(template: string): { path: string; fallback: string }[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '', fallback = '']) => ({
    path: path.trim(),
    fallback,
  }));
}

/** What stands between double braces and is no path. */
export function unknownPaths(template: string): string[] {
  return placeholdersIn(template).flatMap(({ path }) => (isPath(path) ? [] : path));
}

/** The template as JSON without any value. */
export function jsonOf(template: string): string {
  return jsonText(template, {});
}

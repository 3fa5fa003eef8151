import { runBounds } from './flow-graph.ts';
import { isPath, valueAt, type FlowValues } from './flow-values.ts';
import { StepWork } from './step-work.ts';
import { renderValueJson, renderValueText } from './value-text.ts';

/** Matches `{{path|fallback}}`; unclosed placeholders, and those with braces, are text. */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** Maximum number of unknown paths to report for one template. */
const MAX_UNKNOWN = 20;
/** Minimum cost of a placeholder, even with an empty value. */
const MIN_WORK = 20;

/** Limits of rendering a template. */
export interface TemplateBounds {
  /** Maximum characters of all its values together; further ones are omitted. */
  maxLength?: number;
  /** Work counter of the template's step. */
  work?: StepWork;
}

interface Placeholder {
  raw: unknown;
  /** Whether the value is missing. */
  isFallback: boolean;
  /** Start and end of the placeholder in the template. */
  at: number;
  end: number;
  /** Remaining characters. */
  room: number;
}

type Place = (value: string, placeholder: Placeholder) => string;

/**
 * Inserts values into a template in one pass: braces within a value are text.
 * @param place formats a value for its position
 * @throws TooMuchWork
 */
function fillTemplate(
  template: string,
  values: FlowValues,
  { maxLength = runBounds.placedLength, work = new StepWork() }: TemplateBounds,
  place: Place,
): string {
  let room = maxLength;
  return template.replaceAll(
    PLACEHOLDER,
    (whole: string, path: string, fallback: string | undefined, at: number) => {
      work.spend(MIN_WORK);
      const name = path.trim();
      if (!isPath(name)) return whole;
      if (room <= 0) return '';
      const found = valueAt(values, name);
      const text = renderValueText(found, room);
      const isFallback = text.trim() === '';
      const raw = isFallback ? (fallback ?? '') : found;
      const placed = isFallback ? renderValueText(raw, room) : text;
      const written = place(placed, { raw, isFallback, at, end: at + whole.length, room });
      const length = Math.max(text.length, written.length);
      room -= length;
      work.spend(length);
      return written;
    },
  );
}

/** Renders without escaping, for text that is searched, stored or sent to a model. */
export function plainText(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, (value) => value);
}

/** Escapes Markdown in a value, and joins it into one line. */
export function markdownText(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, escapedMarkdown);
}

function escapedMarkdown(value: string): string {
  return value
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_~![\]<>#|]/g, '\\$&')
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/** A value within quotes becomes part of that string; elsewhere it is a whole JSON value. */
export function jsonText(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  let inQuotes = false;
  let read = 0;
  return fillTemplate(template, values, bounds, (value, { raw, isFallback, at, end, room }) => {
    inQuotes = endsInQuotes(template.slice(read, at), inQuotes);
    read = end;
    if (inQuotes) return JSON.stringify(value).slice(1, -1);
    return isFallback ? asJson(value) : renderValueJson(raw, room);
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

/** Parses a fallback in a JSON template: valid JSON as JSON, other text as a string, an empty one as null. */
function asJson(fallback: string): string {
  if (fallback.trim() === '') return 'null';
  try {
    return JSON.stringify(JSON.parse(fallback));
  } catch {
    return JSON.stringify(fallback);
  }
}

const DOTS = /^(\.|%2e){1,2}$/i;

/** Returns the URL with each value as one encoded part of it; null if a value would change the path, as `..` does. */
export function renderUrl(template: string, values: FlowValues, bounds: TemplateBounds = {}): string | null {
  const address = fillTemplate(template, values, bounds, (value) => encodeURIComponent(value.toWellFormed()));
  const [path = ''] = address.split(/[?#]/);
  return path.split(/[/\\]/).some((part) => DOTS.test(part)) ? null : address;
}

/** Renders on one line. */
export function headerText(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, (value) => value.replaceAll(/[^\x20-\x7e]+/g, ' ').trim());
}

/** Returns the paths in a template with their fallbacks. */
export function placeholdersIn(template: string): { path: string; fallback: string }[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '', fallback = '']) => ({
    path: path.trim(),
    fallback,
  }));
}

/** Returns the texts between double braces that are not valid paths. */
export function unknownPaths(template: string): string[] {
  const unknown = placeholdersIn(template).filter(({ path }) => !isPath(path));
  return unknown.slice(0, MAX_UNKNOWN).map(({ path }) => path);
}

/** Renders a JSON template without values. */
export function renderEmptyJson(template: string): string {
  return jsonText(template, {});
}

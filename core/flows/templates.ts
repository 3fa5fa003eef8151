import { runBounds } from './flow-graph.ts';
import { isPath, getValueAt, type FlowValues } from './flow-values.ts';
import { StepWork } from './step-work.ts';
import { renderValueJson, renderValueText } from './value-text.ts';

/**
 * Matches a placeholder of a template: `{{path|fallback}}`. Unclosed placeholders, and those that contain
 * braces, stay plain text.
 */
const PLACEHOLDER = /\{\{([^{}|]*)(?:\|([^{}]*))?\}\}/g;

/** Maximum number of unknown paths that are reported for one template of a flow. */
const MAX_UNKNOWN = 20;
/** Cost in characters of rendering a placeholder, even if its value is empty. */
const MIN_WORK = 20;

/** Limits of rendering a template of a flow. */
export interface TemplateBounds {
  /** Maximum number of characters in all inserted values together; values beyond this limit are omitted. */
  maxLength?: number;
  /** Counts the characters that the flow's step has processed. */
  work?: StepWork;
}

interface Placeholder {
  raw: unknown;
  /** Whether the placeholder's fallback is inserted because the value is missing or empty. */
  isFallback: boolean;
  /** Offsets of the placeholder in the template. */
  at: number;
  end: number;
  /** Remaining number of characters for this placeholder's value and all later values. */
  maxLength: number;
}

type FormatValue = (value: string, placeholder: Placeholder) => string;

/**
 * Replaces the placeholders of a flow's template with values, in one pass: placeholders inside a value are not
 * replaced.
 * @param formatValue formats a value for its position in the template
 * @throws WorkLimitExceeded if the step exceeds its work limit
 */
function fillTemplate(
  template: string,
  values: FlowValues,
  { maxLength = runBounds.insertedLength, work = new StepWork() }: TemplateBounds,
  formatValue: FormatValue,
): string {
  let remaining = maxLength;
  return template.replaceAll(
    PLACEHOLDER,
    (whole: string, path: string, fallback: string | undefined, at: number) => {
      work.spend(MIN_WORK);
      const name = path.trim();
      if (!isPath(name)) return whole;
      if (remaining <= 0) return '';
      const found = getValueAt(values, name);
      const text = renderValueText(found, remaining);
      const isFallback = text.trim() === '';
      const raw = isFallback ? (fallback ?? '') : found;
      const inserted = isFallback ? renderValueText(raw, remaining) : text;
      const rendered = formatValue(inserted, {
        raw,
        isFallback,
        at,
        end: at + whole.length,
        maxLength: remaining,
      });
      const length = Math.max(text.length, rendered.length);
      remaining -= length;
      work.spend(length);
      return rendered;
    },
  );
}

/** Renders a template of a flow without escaping, for text that is searched, stored or sent to a model. */
export function renderPlainText(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, (value) => value);
}

/** Renders a Markdown template of a flow. Escapes Markdown in values, and puts each value on one line. */
export function renderMarkdown(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, escapeMarkdown);
}

function escapeMarkdown(value: string): string {
  return value
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_~![\]<>#|]/g, '\\$&')
    .replace(/^[-+=]/, '\\$&')
    .replace(/^(\d+)([.)])/, '$1\\$2');
}

/**
 * Renders a JSON template of a flow. A placeholder within quotes becomes part of that string; elsewhere it
 * becomes a whole JSON value.
 */
export function renderJson(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  let inQuotes = false;
  let previousEnd = 0;
  return fillTemplate(template, values, bounds, (value, { raw, isFallback, at, end, maxLength }) => {
    inQuotes = endsInQuotes(template.slice(previousEnd, at), inQuotes);
    previousEnd = end;
    if (inQuotes) return JSON.stringify(value).slice(1, -1);
    return isFallback ? toJson(value) : renderValueJson(raw, maxLength);
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

/**
 * Converts the fallback of a placeholder in a JSON template to JSON. Valid JSON is inserted as JSON, other
 * text becomes a string, and an empty fallback becomes null.
 */
function toJson(fallback: string): string {
  if (fallback.trim() === '') return 'null';
  try {
    return JSON.stringify(JSON.parse(fallback));
  } catch {
    return JSON.stringify(fallback);
  }
}

const DOTS = /^(\.|%2e){1,2}$/i;

/**
 * Renders a URL template of a flow, with each value percent-encoded. Returns null if a value such as `..`
 * would change the path.
 */
export function renderUrl(template: string, values: FlowValues, bounds: TemplateBounds = {}): string | null {
  const address = fillTemplate(template, values, bounds, (value) => encodeURIComponent(value.toWellFormed()));
  const [path = ''] = address.split(/[?#]/);
  return path.split(/[/\\]/).some((part) => DOTS.test(part)) ? null : address;
}

/** Renders the template of a request header's value, on one line of printable ASCII. */
export function renderHeader(template: string, values: FlowValues, bounds: TemplateBounds = {}): string {
  return fillTemplate(template, values, bounds, (value) => value.replaceAll(/[^\x20-\x7e]+/g, ' ').trim());
}

/** Lists the placeholders of a flow's template: their paths and fallbacks. */
export function listPlaceholders(template: string): { path: string; fallback: string }[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '', fallback = '']) => ({
    path: path.trim(),
    fallback,
  }));
}

/** Returns the texts between double braces of a template that are not valid paths. */
export function listUnknownPaths(template: string): string[] {
  const unknown = listPlaceholders(template).filter(({ path }) => !isPath(path));
  return unknown.slice(0, MAX_UNKNOWN).map(({ path }) => path);
}

/** Renders a JSON template with the fallbacks of its placeholders only, to check that it is valid JSON. */
export function renderEmptyJson(template: string): string {
  return renderJson(template, {});
}

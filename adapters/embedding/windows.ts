import type { PassageToEmbed } from './embedder.ts';

export interface WindowOptions {
  /** Maximum number of tokens of a window, so that the embedding model reads the whole window. */
  maxTokens: number;
  count: (text: string) => number;
}

interface Unit {
  text: string;
  tokens: number;
}

/** Matches text up to the end of a sentence or line, and the white space after it. */
const UNITS = /[^\n]*?(?:[.!?…。！？｡]["'”’»)\]]*(?=\s)\s*|\n+|$)/gu;
/** Maximum share of an embedding window for the document's title and headings. */
const CONTEXT_SHARE = 0.25;
/** Maximum share of an embedding window that the next window repeats. */
const OVERLAP_SHARE = 0.15;
/** Number of special tokens that an embedding model adds at the beginning and the end of a text. */
const SPECIAL_TOKENS = 2;

/**
 * Splits a passage into overlapping windows of similar length, each short enough for the embedding model. A
 * passage that fits is one window.
 */
export function splitIntoWindows(
  { context, text }: PassageToEmbed,
  { maxTokens, count }: WindowOptions,
): string[] {
  const head = shortenToTokens(context.trim(), Math.floor(maxTokens * CONTEXT_SHARE), count);
  const budget = maxTokens - SPECIAL_TOKENS - count(head);
  const units = splitIntoUnits(text.trim(), budget, count);
  const total = units.reduce((sum, { tokens }) => sum + tokens, 0);
  const texts = total <= budget ? [text.trim()] : packUnits(units, budget, total);
  return texts.filter(Boolean).map((part) => (head ? `${head}\n${part}` : part));
}

function packUnits(units: readonly Unit[], budget: number, total: number): string[] {
  // Distribute the text evenly, since a last window of a single sentence would give a poor vector.
  const overlap = Math.floor(budget * OVERLAP_SHARE);
  const target = Math.min(budget, Math.ceil(total / Math.ceil(total / (budget - overlap))) + overlap);
  const windows: string[] = [];
  let window: Unit[] = [];
  let tokens = 0;
  let repeated = 0;
  for (const unit of units) {
    if (tokens + unit.tokens > target && window.length > repeated) {
      windows.push(joinUnits(window));
      window = takeLastUnits(window, Math.min(overlap, budget - unit.tokens));
      repeated = window.length;
      tokens = sumTokens(window);
    }
    window.push(unit);
    tokens += unit.tokens;
  }
  if (window.length > repeated) windows.push(joinUnits(window));
  return windows;
}

function splitIntoUnits(text: string, budget: number, count: (text: string) => number): Unit[] {
  const parts = (text.match(UNITS) ?? []).filter(Boolean);
  return parts.flatMap((part) => divideUnit({ text: part, tokens: count(part) }, budget, count));
}

/**
 * Splits a sentence or line that exceeds the window in the middle, at a space if possible, until the parts
 * fit.
 */
function divideUnit(unit: Unit, budget: number, count: (text: string) => number): Unit[] {
  if (unit.tokens <= budget || unit.text.length < 2) return [unit];
  const middle = Math.floor(unit.text.length / 2);
  const space = unit.text.indexOf(' ', middle);
  const isNear = space > 0 && space < unit.text.length * 0.75;
  const at = isNear ? space + 1 : middle + (isLowSurrogate(unit.text, middle) ? 1 : 0);
  return [unit.text.slice(0, at), unit.text.slice(at)]
    .filter(Boolean)
    .flatMap((text) => divideUnit({ text, tokens: count(text) }, budget, count));
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

function takeLastUnits(units: readonly Unit[], maxUnitTokens: number): Unit[] {
  let tokens = 0;
  let start = units.length;
  while (start > 1 && tokens + units[start - 1]!.tokens <= maxUnitTokens) {
    start -= 1;
    tokens += units[start]!.tokens;
  }
  return units.slice(start);
}

/** Shortens a text to the whole words that fit into a number of tokens. */
function shortenToTokens(text: string, maxTokens: number, count: (text: string) => number): string {
  let truncated = text;
  while (truncated && count(truncated) > maxTokens) {
    const shortened = truncated.slice(0, Math.floor(truncated.length * 0.75));
    const space = shortened.lastIndexOf(' ');
    truncated = (space > shortened.length / 2 ? shortened.slice(0, space) : shortened).trimEnd();
  }
  return truncated;
}

const sumTokens = (units: readonly Unit[]) => units.reduce((total, { tokens }) => total + tokens, 0);
const joinUnits = (units: readonly Unit[]) =>
  units
    .map(({ text }) => text)
    .join('')
    .trim();

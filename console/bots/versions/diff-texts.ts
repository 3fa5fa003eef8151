import { diffArrays } from 'diff';

/** A part of the compared texts, found in both or in one of them. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Approximate limit of steps. Above it, lines are compared, and then the words of each replaced block of lines. */
const MAX_STEPS = 4_000_000;
const MAX_BLOCK_STEPS = 160_000;

/** Words, emojis, spaces and punctuation. */
const PIECES =
  /[\p{L}\p{M}\p{N}_]+|(?:\p{Extended_Pictographic}(?:\u200d|\ufe0f|\p{EMod})*)+|\s|[^\p{L}\p{M}\p{N}_\s]/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * Maximum length of text to segment into words without spaces. `Intl.Segmenter` is a hundred times slower, so longer
 * texts are compared by character.
 */
const MAX_SEGMENTED_LENGTH = 5000;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Compares texts word by word; line by line first if that takes too many steps. */
export function diffTexts(before: string, after: string): TextPart[] {
  return joinParts(diffWords(splitWords(before), splitWords(after), MAX_STEPS) ?? diffLines(before, after));
}

/** Compares line by line. If even that takes too many steps, reports the whole text as replaced. */
function diffLines(before: string, after: string): TextPart[] {
  const lines = diffWords(splitLines(before), splitLines(after), MAX_BLOCK_STEPS);
  if (lines === null) return replaceWhole(before, after);
  return lines.flatMap((part, at) => {
    const [previous, next] = [lines[at - 1], lines[at + 1]];
    if (part.kind === 'removed' && next?.kind === 'added') return [];
    if (part.kind !== 'added' || previous?.kind !== 'removed') return [part];
    const [old, now] = [splitWords(previous.text), splitWords(part.text)];
    return diffWords(old, now, MAX_BLOCK_STEPS) ?? [previous, part];
  });
}

/**
 * Compares two lists of words; null if more than `maxSteps` steps would be needed. The cost grows with the edit
 * distance and with the length of the shorter list.
 */
function diffWords(before: string[], after: string[], maxSteps: number): TextPart[] | null {
  const shorter = 1 + Math.min(before.length, after.length);
  const maxEditLength = Math.floor(Math.max(Math.sqrt(maxSteps), maxSteps / shorter));
  const parts = diffArrays(before, after, { maxEditLength });
  return (
    parts?.map(({ value, added, removed }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      text: value.join(''),
    })) ?? null
  );
}

function replaceWhole(before: string, after: string): TextPart[] {
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** Merges adjacent changes with the spaces between them: all removed text, then all added text. */
function joinParts(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  let removed = '';
  let added = '';
  const flush = (): void => {
    if (removed !== '') result.push({ kind: 'removed', text: removed });
    if (added !== '') result.push({ kind: 'added', text: added });
    removed = added = '';
  };
  for (const [index, { kind, text }] of parts.entries()) {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (removed !== '' && added !== '' && isSpace(text) && parts[index + 1]?.kind !== 'same') {
      removed += text;
      added += text;
    } else if (text !== '') {
      flush();
      result.push({ kind, text });
    }
  }
  flush();
  return result;
}

function isSpace(text: string): boolean {
  return text !== '' && text.trim() === '' && !text.includes('\n');
}

function splitWords(text: string): string[] {
  const pieces = text.match(PIECES) ?? [];
  return pieces.flatMap((piece) => {
    if (!UNSPACED.test(piece)) return [piece];
    return text.length > MAX_SEGMENTED_LENGTH
      ? [...piece]
      : [...segmenter.segment(piece)].map(({ segment }) => segment);
  });
}

function splitLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

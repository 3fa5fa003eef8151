import { diffArrays } from 'diff';

/** Part of two compared texts: in both texts, only in the old text, or only in the new text. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/**
 * Approximate maximum of steps for comparing all words of two texts. If more steps are needed, lines are
 * compared first, then the words of replaced lines.
 */
const MAX_STEPS = 4_000_000;
const MAX_BLOCK_STEPS = 160_000;

/** Matches one piece of text to compare: a word, an emoji, a space or a punctuation mark. */
const PIECES =
  /[\p{L}\p{M}\p{N}_]+|(?:\p{Extended_Pictographic}(?:\u200d|\ufe0f|\p{EMod})*)+|\s|[^\p{L}\p{M}\p{N}_\s]/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/**
 * Maximum characters of a compared text in a script without spaces that is split into words. `Intl.Segmenter`
 * is slow, so longer texts are compared by character.
 */
const MAX_SEGMENTED_LENGTH = 5000;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/**
 * Compares two texts word by word. If a comparison by words takes too many steps, first compares line by
 * line.
 */
export function diffTexts(before: string, after: string): TextPart[] {
  return joinParts(diffWords(splitWords(before), splitWords(after), MAX_STEPS) ?? diffLines(before, after));
}

/**
 * Compares two texts line by line, then the words of replaced lines. Reports the whole text as replaced if
 * the comparison takes too many steps.
 */
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
 * Compares two lists of words; null if the comparison would take more than `maxSteps` steps. The number of
 * steps grows with the number of edits and the length of the shorter list.
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

/**
 * Merges adjacent changes between two texts that only spaces separate into one: first all removed text, then
 * all added text.
 */
function joinParts(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  let removed = '';
  let added = '';
  const flushChange = (): void => {
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
      flushChange();
      result.push({ kind, text });
    }
  }
  flushChange();
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

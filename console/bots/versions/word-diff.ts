import { diffArrays } from 'diff';

/** A piece of two texts: in both, or in one of them. */
export interface TextPart {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** Steps that a comparison may take, about; then lines are compared, and words in each piece of them that was replaced. */
const MOST_STEPS = 4_000_000;
const MOST_STEPS_OF_PIECE = 160_000;

/** Words, emojis, spaces and signs. */
const PIECES =
  /[\p{L}\p{M}\p{N}_]+|(?:\p{Extended_Pictographic}(?:\u200d|\ufe0f|\p{EMod})*)+|\s|[^\p{L}\p{M}\p{N}_\s]/gu;
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Knows words that no spaces are between; it takes a hundred times as long, so that longer texts are compared by their signs. */
const MOST_SEGMENTED = 5000;
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** What becomes of a text, word by word; where that would take long, line by line first. */
export function textDiff(before: string, after: string): TextPart[] {
  return joined(compared(wordsOf(before), wordsOf(after), MOST_STEPS) ?? byLines(before, after));
}

/** Where not even lines are alike, the texts stand one after the other as they are. */
function byLines(before: string, after: string): TextPart[] {
  const lines = compared(linesOf(before), linesOf(after), MOST_STEPS_OF_PIECE);
  if (lines === null) return replaced(before, after);
  return lines.flatMap((part, at) => {
    const [previous, next] = [lines[at - 1], lines[at + 1]];
    if (part.kind === 'removed' && next?.kind === 'added') return [];
    if (part.kind !== 'added' || previous?.kind !== 'removed') return [part];
    const [old, now] = [wordsOf(previous.text), wordsOf(part.text)];
    return compared(old, now, MOST_STEPS_OF_PIECE) ?? [previous, part];
  });
}

/** Null where they differ too much for so many steps: one a difference, for each that there may be beside it. */
function compared(before: string[], after: string[], mostSteps: number): TextPart[] | null {
  const shorter = 1 + Math.min(before.length, after.length);
  const maxEditLength = Math.floor(Math.max(Math.sqrt(mostSteps), mostSteps / shorter));
  const parts = diffArrays(before, after, { maxEditLength });
  return (
    parts?.map(({ value, added, removed }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      text: value.join(''),
    })) ?? null
  );
}

function replaced(before: string, after: string): TextPart[] {
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** Spaces between two changes are a part of them: what was removed stands together, then what came in its place. */
function joined(parts: readonly TextPart[]): TextPart[] {
  const result: TextPart[] = [];
  let removed = '';
  let added = '';
  const settle = (): void => {
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
      settle();
      result.push({ kind, text });
    }
  }
  settle();
  return result;
}

function isSpace(text: string): boolean {
  return text !== '' && text.trim() === '' && !text.includes('\n');
}

function wordsOf(text: string): string[] {
  const pieces = text.match(PIECES) ?? [];
  return pieces.flatMap((piece) => {
    if (!UNSPACED.test(piece)) return [piece];
    return text.length > MOST_SEGMENTED
      ? [...piece]
      : [...segmenter.segment(piece)].map(({ segment }) => segment);
  });
}

function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/**
 * Controls other than tab and line feed, separators of lines, and what has no ink, bidirectional controls included. Some
 * of them are text in their place. The command line of the SDK has the same rules, in `sdk/typescript/src/cli/safe-text.ts`.
 */
const SUSPECT =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
/** Characters that a joiner shapes, as in emoji and in Persian: letters with ink, marks and symbols beyond Latin. */
const JOINABLE = /(?![\0-\u02ff\u115f\u1160\u3164\uffa0])[\p{L}\p{M}\p{So}\p{Sk}]/u;
/** Selectors of variants, as of emoji. */
const MARK = /^\p{M}$/u;

/** Writes what could act on a terminal as JSON escapes, `\u001b`: JSON text keeps its value, people see what was sent. */
export function escapeUnsafe(text: string): string {
  return text.replace(SUSPECT, (found, at: number) => (isText(found, at, text) ? found : escaped(found)));
}

/** A value from outside that belongs on one line. */
export function oneLine(text: string): string {
  return escapeUnsafe(text.replace(/\r\n?|\n/g, String.raw`\n`).replaceAll('\t', String.raw`\t`));
}

/** Whether a suspect character is part of a text in its place. */
function isText(found: string, at: number, text: string): boolean {
  if (found === '\r') return text[at + 1] === '\n';
  if (found !== '\u200c' && found !== '\u200d') return MARK.test(found);
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  return JOINABLE.test(before) && JOINABLE.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0));
}

function escaped(found: string): string {
  const units = found.split('');
  return units.map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')).join('');
}

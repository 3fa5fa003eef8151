/**
 * Matches control characters (except tab and line feed), line separators, and invisible characters such as
 * bidirectional controls. `isHarmless` decides which of these characters are harmless in their context.
 * The SDK's command line has the same rules, in `sdk/typescript/src/cli/safe-text.ts`.
 */
const SUSPECT =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Matches characters that a zero-width joiner may follow, as in emoji and Persian: visible letters, marks and
 * symbols beyond Latin.
 */
const JOINABLE = /(?![\0-\u02ff\u115f\u1160\u3164\uffa0])[\p{L}\p{M}\p{So}\p{Sk}]/u;
/** Matches variation selectors and other marks, as in emoji. */
const MARK = /^\p{M}$/u;

/**
 * Escapes characters that could control a terminal, in JSON notation such as `\u001b`. Escaped JSON still
 * parses to the same value.
 */
export function escapeUnsafe(text: string): string {
  return text.replace(SUSPECT, (found, at: number) =>
    isHarmless(found, at, text) ? found : escapeUnits(found),
  );
}

/** Formats an untrusted value on one line, with dangerous characters escaped. */
export function oneLine(text: string): string {
  return escapeUnsafe(text.replace(/\r\n?|\n/g, String.raw`\n`).replaceAll('\t', String.raw`\t`));
}

/** Returns whether a character that SUSPECT matches is harmless in its context. */
function isHarmless(found: string, at: number, text: string): boolean {
  if (found === '\r') return text[at + 1] === '\n';
  if (found !== '\u200c' && found !== '\u200d') return MARK.test(found);
  const before = Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? '';
  return JOINABLE.test(before) && JOINABLE.test(String.fromCodePoint(text.codePointAt(at + 1) ?? 0));
}

function escapeUnits(found: string): string {
  const units = found.split('');
  return units.map((unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, '0')).join('');
}

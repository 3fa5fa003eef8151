/**
 * Writes core/text/lookalikes.ts from two files of the Unicode Character Database:
 * npx tsx scripts/generate-lookalikes.ts confusables.txt UnicodeData.txt
 * https://www.unicode.org/Public/security/latest/confusables.txt, https://www.unicode.org/Public/UCD/latest/ucd/UnicodeData.txt
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { normalizeText } from '../core/text/normalize-text.ts';

const [confusables = '', unicodeData = ''] = process.argv.slice(2).map((path) => readFileSync(path, 'utf8'));
const version = /^# Version: (\S+)/m.exec(confusables)?.[1];
const MARKS = /[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu;
const stripMarks = (text: string) => normalizeText(text, 'NFKD', Infinity).replace(MARKS, '');
const parseHex = (hex: string) =>
  String.fromCodePoint(
    ...hex
      .trim()
      .split(/\s+/)
      .map((each) => Number.parseInt(each, 16)),
  );

/** Maps a character to the Latin letters or digits that it looks like. */
const lookalikes = new Map<string, string>();
function addLookalike(character: string, target: string): void {
  const letters = stripMarks(target).toLowerCase();
  // Keep a character only if it stands for up to three Latin letters. Skip characters that become Latin
  // without their marks, because lookups strip marks first.
  if (
    /^[a-z0-9]{1,3}$/.test(letters) &&
    !/^[a-z0-9]+$/i.test(stripMarks(character)) &&
    [...character].length === 1
  )
    lookalikes.set(character, letters);
}

/**
 * Patterns for Unicode names of letters that look Latin: letters with strokes or hooks, turned letters, and
 * letters in boxes and circles.
 */
const NAMES = [
  /^LATIN (?:CAPITAL|SMALL) LETTER ([A-Z])(?: WITH .*)?$/,
  /^LATIN (?:CAPITAL|SMALL) LETTER (?:TURNED|REVERSED|REVERSED OPEN|OPEN|CLOSED|CLOSED REVERSED OPEN|SIDEWAYS|SCRIPT|DOTLESS|BLACKLETTER|BARRED|STRETCHED|LONG|MIDDLE-WELSH|VOLAPUK|INSULAR|HALF|SMALL CAPITAL|SIDEWAYS OPEN|TURNED INSULAR) ([A-Z])(?: WITH .*)?$/,
  /^LATIN LETTER (?:SMALL CAPITAL|SMALL CAPITAL (?:TURNED|REVERSED|INVERTED|BARRED)) ([A-Z])(?: WITH .*)?$/,
  /^(?:NEGATIVE CIRCLED|NEGATIVE SQUARED|CROSSED NEGATIVE SQUARED) LATIN CAPITAL LETTER ([A-Z])$/,
  /^REGIONAL INDICATOR SYMBOL LETTER ([A-Z])$/,
];
for (const line of unicodeData.split('\n')) {
  const [code = '', name = ''] = line.split(';');
  const letter = NAMES.map((pattern) => pattern.exec(name)?.[1]).find(Boolean);
  if (letter) addLookalike(parseHex(code), letter);
}
for (const line of confusables.split('\n')) {
  const [source = '', target = ''] = line.replace(/^\uFEFF/, '').split(';');
  if (/^[0-9A-F]/.test(source)) addLookalike(parseHex(source), parseHex(target));
}

const groups = new Map<string, number[]>();
for (const [character, letters] of lookalikes)
  groups.set(letters, [...(groups.get(letters) ?? []), character.codePointAt(0)!]);
const rows = [...groups]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(
    ([letters, codes]) =>
      `  ${/^\d/.test(letters) ? `'${letters}'` : letters}: '${codes
        .toSorted((a, b) => a - b)
        .map((code) => code.toString(16))
        .join(' ')}',`,
  );
writeFileSync(
  new URL('../core/text/lookalikes.ts', import.meta.url),
  `/**
 * Characters that look like Latin letters and digits, as hexadecimal code points: the confusables of Unicode ${version}, and letters whose
 * names say so. Written by scripts/generate-lookalikes.ts; characters that NFKD turns into these letters are left out.
 * Data © Unicode, Inc., under the Unicode License V3: https://www.unicode.org/license.txt
 */
export const LOOKALIKES: Readonly<Record<string, string>> = {
${rows.join('\n')}
};
`,
);

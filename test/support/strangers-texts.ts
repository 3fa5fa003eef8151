/** Number of characters in each text: the maximum in a visitor's message. */
const LENGTH = 20_000;

const repeated = {
  'a ligature that stands for eighteen characters': '\u{fdfa}',
  'such ligatures with spaces': '\u{fdfa}\u{fdfa} ',
  ideographs: '漢',
  'ideographic full stops': '。',
  hiragana: 'あ',
  hangul: '한',
  'Thai without spaces': 'สวัสดีครับ',
  'right to left': '\u202eשלום ',
  'zero-width spaces': 'a\u200b',
  'emoji that are joined': '👩\u200d👩\u200d👧\u200d👦',
  'emoji by themselves': '😀',
  flags: '🇩🇪',
  'blank Braille': '\u2800x',
  'one long word': 'a',
  'words of one letter': 'a ',
  'words of one Cyrillic letter': 'ж ',
  'words with accents': 'é',
  quotes: '"',
  'curved quotes': '“',
  apostrophes: "'",
  'opening brackets': '[',
  'beginnings of links': '[](',
  'beginnings of pictures': '![',
  'numbers of sources': '[1]',
  'lists of sources': '[1,',
  backticks: '`',
  'backticks and letters': '`a ',
  'blocks of code': '```\n',
  asterisks: '*',
  'asterisks and letters': '**a ',
  underscores: '_a_',
  pipes: '|',
  'rows of tables': '|-|\n',
  'list items': '- ',
  'numbered lines': '1.\n',
  'quoted lines': '> ',
  headings: '# ',
  'number signs': '#',
  backslashes: '\\',
  'less-than signs': '<',
  'open tags': '<a ',
  comments: '<!--',
  'thinking aloud': '<think>',
  'end of thinking aloud': '</think>',
  'addresses of pages': 'http://a.b/',
  'beginnings of addresses': 'http://a ',
  'a number without an end': '1',
  'digits with marks': '12-',
  'digits with dashes': '1---',
  'digits with spaces': '1 ',
  'phone numbers': '+49 30 1234567 ',
  'at signs': '@',
  'beginnings of email addresses': 'a@b.',
  'dots and letters': 'a.',
  'full stops': '. ',
  'question and exclamation marks': '?!',
  abbreviations: 'e.g. ',
  'short lines': 'a.\n',
  plus: '+',
};

/** Texts of a message's maximum length that are expensive for code with more than linear cost. */
export const strangersTexts: ReadonlyMap<string, string> = new Map([
  ...Object.entries(repeated).map(([name, unit]) => [name, fillWith(unit)] as const),
  ['combining marks', `a${fillWith('\u0301').slice(1)}`],
  ['marks of two classes', buildMarksOfTwoClasses(LENGTH)],
  ['marks in turns', `a${fillWith('\u0301\u0334').slice(1)}`],
  ['Tibetan vowels', `ཀ${fillWith('\u0f71\u0f72').slice(1)}`],
  ['half-width voicing marks', `ｶ${'\uff9e'.repeat(LENGTH / 2 - 1)}${'\u0334'.repeat(LENGTH / 2)}`],
  ['words of marks', fillWith(`a${'\u0301'.repeat(500)}${'\u0334'.repeat(498)} `)],
  ['spaces', ` x${' '.repeat(LENGTH - 4)}x `],
  ['ideographic spaces', `x${'\u3000'.repeat(LENGTH - 2)}x`],
  ['half tags after a visible letter', `x<think></think>${fillWith('y</think>').slice(16)}`],
  ['variation selectors', `x${'\ufe0f'.repeat(LENGTH - 1)}漢`],
  ['tokens', fillWith('eyJ-')],
  ['tabs', `x${'\t'.repeat(LENGTH - 2)}x`],
  ['line ends', `x${'\n'.repeat(LENGTH - 2)}x`],
  ['a bracket and spaces', `[${' '.repeat(LENGTH - 1)}`],
  ['a tag and spaces', `<${' '.repeat(LENGTH - 2)}x`],
  ['a heading and number signs', `# a ${'#'.repeat(LENGTH - 5)}x`],
  ['other words each time', buildDistinctWords()],
]);

/**
 * Builds a letter with many combining marks of two classes. Normalization has to sort them, in quadratic time
 * if it sorts naively.
 */
export function buildMarksOfTwoClasses(length: number): string {
  return `a${'\u0301'.repeat(length / 2 - 1)}${'\u0334'.repeat(length / 2)}`;
}

function fillWith(unit: string): string {
  return unit.repeat(Math.floor(LENGTH / [...unit].length));
}

function buildDistinctWords(): string {
  return Array.from({ length: LENGTH / 5 }, (_, index) => `q${index.toString(36).padStart(3, '0')}`).join(
    ' ',
  );
}

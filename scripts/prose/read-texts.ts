import { readFileSync } from 'node:fs';
import { parseSync, Visitor } from 'oxc-parser';

/**
 * Kind of a text that the writing rules check. `tag`: a JSDoc tag; `string`: a text for people in the code;
 * `title`: the title of a test; `page`: a heading or paragraph of documentation.
 */
export type TextKind = 'comment' | 'tag' | 'string' | 'title' | 'page' | 'function' | 'constant';

export interface Text {
  kind: TextKind;
  line: number;
  text: string;
}

const DIRECTIVE = /^(oxlint|eslint|@ts-|#region|\/ <reference)/;
/**
 * Minimum number of words of a string that counts as text. Shorter strings are identifiers, labels or parts
 * of code.
 */
const MIN_STRING_WORDS = 4;
const PROSE = /^[\p{L}\p{N}\s.,:;…!?'’"“”()/%–—_`{}<>+=*#@&$\\[\]|^~-]+$/u;
const TEST_FUNCTIONS = new Set(['describe', 'it', 'itInSoak']);

/** Returns the texts that people read in a TypeScript file: comments, strings and names. */
export function readTypeScript(path: string): Text[] {
  const source = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, source);
  const findLine = lineFinder(source);
  const texts: Text[] = [];
  const addText = (kind: TextKind, start: number, text: string) =>
    texts.push({ kind, line: findLine(start), text });
  for (const { start, text } of joinLineComments(source, comments)) {
    if (DIRECTIVE.test(text)) continue;
    const [first = '', ...tags] = text.split(/(?=@(?:param|returns?|throws)\b)/);
    if (first.trim() !== '') addText('comment', start, first.trim());
    for (const tag of tags) addText('tag', start, tag.trim());
  }
  const titles = new Set<number>();
  new Visitor({
    CallExpression({ callee, arguments: [first] }) {
      const name = callee.type === 'Identifier' ? callee.name : '';
      if (!TEST_FUNCTIONS.has(name) || !first) return;
      titles.add(first.start);
      const title = first.type === 'Literal' ? first.value : source.slice(first.start + 1, first.end - 1);
      addText('title', first.start, String(title));
    },
    Literal({ start, value }) {
      if (typeof value === 'string' && isProse(value) && !titles.has(start)) addText('string', start, value);
    },
    TemplateLiteral({ start, quasis }) {
      const text = quasis.map(({ value }) => value.cooked ?? '').join('…');
      if (isProse(text) && !titles.has(start)) addText('string', start, text);
    },
    JSXText({ start, value }) {
      const text = value.replaceAll(/\s+/g, ' ').trim();
      if (isProse(text)) addText('string', start, text);
    },
    FunctionDeclaration({ id }) {
      if (id) addText('function', id.start, id.name);
    },
    MethodDefinition({ key, kind }) {
      // Skip getters: the check requires verbs as names of functions, but names of getters are nouns.
      if (kind === 'get') return;
      if (key.type === 'Identifier' || key.type === 'PrivateIdentifier')
        addText('function', key.start, key.name);
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier') return;
      const isFunction = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      addText(isFunction ? 'function' : 'constant', id.start, id.name);
    },
  }).visit(program);
  return texts;
}

/** Returns the paragraphs, list items, table cells and headings of a Markdown page, without its code. */
export function readMarkdown(path: string): Text[] {
  const texts: Text[] = [];
  let isCode = false;
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode)
      for (const cell of line.startsWith('|') ? line.split('|') : [line]) {
        const text = cell.replace(/^[\s>#*+-]*(\d+\.\s)?/, '').trim();
        if (/\p{L}/u.test(text)) texts.push({ kind: 'page', line: index + 1, text });
      }
  }
  return texts;
}

/** Returns the texts in a JSON file of translations of the user interface. */
export function readTranslations(path: string): Text[] {
  const values = Object.values(JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>);
  return values
    .filter((value) => typeof value === 'string')
    .map((text) => ({ kind: 'string', line: 1, text }));
}

function isProse(text: string): boolean {
  return (
    text.trim().split(/\s+/).length >= MIN_STRING_WORDS &&
    PROSE.test(text) &&
    !/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|CREATE|ALTER)\b/.test(text)
  );
}

interface Comment {
  type: 'Line' | 'Block';
  value: string;
  start: number;
  end: number;
}

/** Joins consecutive line comments to one text. Removes the comment marks of block comments. */
function joinLineComments(source: string, comments: readonly Comment[]): { start: number; text: string }[] {
  const joined: { start: number; end: number; text: string; isLine: boolean }[] = [];
  for (const { type, value, start, end } of comments) {
    const last = joined.at(-1);
    const isLine = type === 'Line';
    if (last && isLine && last.isLine && /^\s*$/.test(source.slice(last.end, start))) {
      last.text += ` ${value.trim()}`;
      last.end = end;
    } else {
      const text = value
        .replaceAll(/^\s*\*\s?/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
      joined.push({ start, end, text, isLine });
    }
  }
  return joined;
}

function lineFinder(source: string): (offset: number) => number {
  const starts = [0];
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

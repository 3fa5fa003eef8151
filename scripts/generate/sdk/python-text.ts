import { snakeCase } from './names.ts';

const WIDTH = 100;

/** Keywords of Python, which cannot be identifiers. */
const KEYWORDS = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
);

/** Converts a name to a valid Python identifier; keywords get an underscore, such as `try_` or `from_`. */
export function pythonName(name: string): string {
  const snake = /^[a-z][a-z0-9_]*$/.test(name) ? name : snakeCase(name);
  return KEYWORDS.has(snake) ? `${snake}_` : snake;
}

export function pythonConstant(name: string): string {
  return `_${snakeCase(name).toUpperCase()}`;
}

export function pythonString(text: string): string {
  return JSON.stringify(text);
}

/** Indents lines of Python by four spaces for each indentation level. */
export function indentLines(lines: readonly string[], steps = 1): string[] {
  const space = ' '.repeat(4 * steps);
  return lines.map((line) => (line === '' ? '' : space + line));
}

/** Returns the lines of a Python docstring with the paragraphs; an empty list if all paragraphs are empty. */
export function renderDocstring(paragraphs: readonly string[], steps: number): string[] {
  const width = WIDTH - 4 * steps;
  const wrapped = paragraphs
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => wrapParagraph(escapeDocstring(paragraph), width));
  const lines = wrapped.flatMap((paragraph, index) => (index === 0 ? paragraph : ['', ...paragraph]));
  const [first, ...others] = lines;
  if (first === undefined) return [];
  const isShort = others.length === 0 && first.length + 6 <= width && !first.endsWith('"');
  return isShort ? [`"""${first}"""`] : [`"""${first}`, ...others, '"""'];
}

/** Joins entries of a docstring, such as arguments, to one paragraph with a line for each. */
export function joinEntries(entries: readonly string[]): string {
  return entries.join('\n');
}

/**
 * Returns Python import statements for the names that the code uses.
 * @param modules names that can be imported, by module
 */
export function renderImports(code: readonly string[], modules: Record<string, readonly string[]>): string[] {
  const words = new Set(
    code
      .join('\n')
      .replaceAll(/"""[\s\S]*?"""|"[^"\n]*"/g, '')
      .match(/\w+/g),
  );
  return Object.entries(modules).flatMap(([module, names]) => {
    const used = names.filter((name) => words.has(name));
    return used.length === 0 ? [] : [`from ${module} import ${used.join(', ')}`];
  });
}

function wrapParagraph(paragraph: string, width: number): string[] {
  return paragraph.split('\n').flatMap((entry) => wrapEntry(entry, width));
}

/** Wraps an entry of a Python docstring. If it begins with a colon, further lines are indented. */
function wrapEntry(entry: string, width: number): string[] {
  const indent = entry.startsWith(':') ? '    ' : '';
  const lines: string[] = [];
  let line = '';
  for (const word of entry.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length > width && line !== '') {
      lines.push(line);
      line = indent + word;
    } else line = longer;
  }
  return [...lines, line];
}

function escapeDocstring(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"');
}

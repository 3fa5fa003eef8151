import type { Field, TypeRef } from './sdk-api.ts';

const WIDTH = 110;

/** Returns a type of the SDK as TypeScript source. */
export function renderType(type: TypeRef): string {
  switch (type.kind) {
    case 'unknown':
      return 'unknown';
    case 'string':
    case 'boolean':
      return type.kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'literal':
      return JSON.stringify(type.value).replaceAll('"', "'");
    case 'enum':
      return [...type.values.map((value) => `'${value}'`), ...(type.isOpen ? ['(string & {})'] : [])].join(
        ' | ',
      );
    case 'list':
      return `Array<${renderType(type.items)}>`;
    case 'map':
      return `Record<string, ${renderType(type.values)}>`;
    case 'model':
      return type.name;
    case 'union':
      return type.members.map(renderType).join(' | ');
    case 'nullable':
      return `${renderType(type.of)} | null`;
  }
}

/** Generates a property of a TypeScript interface. An optional property may also be undefined. */
export function renderProperty({ name, type, isRequired, description }: Field, indent: string): string {
  const key = /^[a-zA-Z_]\w*$/.test(name) ? name : `'${name}'`;
  const text = isRequired ? `${key}: ${renderType(type)}` : `${key}?: ${renderType(type)} | undefined`;
  return `${renderComment([description], indent)}${indent}${text};\n`;
}

/** Returns a JSDoc comment with the paragraphs; an empty list if all paragraphs are empty. */
export function renderComment(paragraphs: readonly string[], indent = ''): string {
  const texts = paragraphs.map((text) => text.trim().replaceAll('*/', '*\\/')).filter((text) => text !== '');
  const lines = texts.flatMap((text, index) => [...(index > 0 ? [''] : []), ...wrapText(text)]);
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('')}${indent} */\n`;
}

function wrapText(text: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + word.length >= WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? word : ` ${word}`;
  }
  return [...lines, line];
}

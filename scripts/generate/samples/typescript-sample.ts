import { SAMPLE_URL } from '../../../api/http/openapi/code-samples.ts';
import { FILE_NAME, tokenVariables, type SampleInput } from './sample-input.ts';

const WIDTH = 80;

/** Returns a TypeScript module that calls the operation with the SDK. */
export function typescriptSample(input: SampleInput): string {
  const { resource, method } = input;
  const variable = tokenVariables[method.auth];
  const option = method.auth.startsWith('visitor') ? 'visitorToken' : 'apiKey';
  const settings = [
    `baseUrl: '${SAMPLE_URL}'`,
    ...(variable === null ? [] : [`${option}: process.env['${variable}']`]),
  ];
  const client = `const client = new Parley(${grouped(settings, ['{ ', ' }'], 0)});`;
  const called = callText(`client.${resource}.${method.name}`, argumentTexts(input));
  return ["import { Parley } from 'parley-sdk';", '', client, ...takenLines(input, called)].join('\n');
}

function takenLines({ method: { answer } }: SampleInput, called: string): string[] {
  switch (answer.kind) {
    case 'pages':
    case 'keyset':
      return [`for await (const item of ${called}) console.log(item);`];
    case 'stream':
      return [`for await (const { event, data } of ${called}) console.log(event, data);`];
    case 'binary':
      return [`const response = await ${called};`, 'console.log((await response.arrayBuffer()).byteLength);'];
    case 'json':
    case 'text':
    case 'redirect':
      return [`console.log(await ${called});`];
  }
}

function callText(name: string, given: readonly string[]): string {
  const line = `${name}(${given.join(', ')})`;
  if (line.length <= WIDTH || given.length < 2) return line;
  return `${name}(\n${given.map((text) => `  ${text.replaceAll('\n', '\n  ')},\n`).join('')})`;
}

function argumentTexts({ method, path, query, headers, body, fields, file }: SampleInput): string[] {
  const sent = method.body;
  const texts = method.path.map(({ name }) => literal(path[name], 0));
  if (sent?.kind === 'multipart') {
    texts.push(literal({ name: FILE_NAME, content: file }, 0));
    if (sent.fields.length > 0) texts.push(literal(fields, 0));
  } else if (sent) texts.push(literal(sent.kind === 'raw' ? JSON.stringify(body) : (body ?? {}), 0));
  if (method.query.length > 0) texts.push(literal(query, 0));
  if (method.headers.length > 0) texts.push(literal(headers, 0));
  // Empty objects at the end are optional.
  while (texts.at(-1) === '{}') texts.pop();
  return texts;
}

/** Returns a value as source, formatted roughly like Prettier. */
function literal(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return grouped(
      value.map((item) => literal(item, depth + 1)),
      ['[', ']'],
      depth,
    );
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${nameText(name)}: ${literal(member, depth + 1)}`,
  );
  return members.length === 0 ? '{}' : grouped(members, ['{ ', ' }'], depth);
}

/** Joins parts on one line if they fit; otherwise one on each line. */
function grouped(parts: readonly string[], [open, close]: readonly [string, string], depth: number): string {
  const line = open + parts.join(', ') + close;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth);
  return `${open.trim()}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close.trim()}`;
}

function nameText(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name);
}

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escaped.includes("'") ? JSON.stringify(text) : `'${escaped}'`;
}

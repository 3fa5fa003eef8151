import { SAMPLE_URL } from '../../../api/http/openapi/code-samples.ts';
import { camelCase } from '../sdk/names.ts';
import { FILE_NAME, tokenVariables, type SampleInput } from './sample-input.ts';

const WIDTH = 80;

/** Returns the source of a TypeScript module that calls an API operation with the SDK. */
export function renderTypescriptSample(input: SampleInput): string {
  const { resource, method } = input;
  const variable = tokenVariables[method.auth];
  const option = method.auth.startsWith('visitor') ? 'visitorToken' : 'apiKey';
  const settings = [
    `baseUrl: '${SAMPLE_URL}'`,
    ...(variable === null ? [] : [`${option}: process.env['${variable}']`]),
  ];
  const client = `const client = new Parley(${groupParts(settings, ['{ ', ' }'], 0)});`;
  const call = renderSampleCall(`client.${resource}.${method.name}`, renderSampleArguments(input));
  return ["import { Parley } from 'parley-sdk';", '', client, ...renderUse(input, call)].join('\n');
}

function renderUse({ method: { answer } }: SampleInput, call: string): string[] {
  switch (answer.kind) {
    case 'pages':
    case 'keyset':
      return [`for await (const item of ${call}) console.log(item);`];
    case 'stream':
      return [`for await (const { event, data } of ${call}) console.log(event, data);`];
    case 'binary':
      return [`const response = await ${call};`, 'console.log((await response.arrayBuffer()).byteLength);'];
    case 'json':
    case 'text':
    case 'redirect':
      return [`console.log(await ${call});`];
  }
}

function renderSampleCall(name: string, args: readonly string[]): string {
  const line = `${name}(${args.join(', ')})`;
  if (line.length <= WIDTH || args.length < 2) return line;
  return `${name}(\n${args.map((text) => `  ${text.replaceAll('\n', '\n  ')},\n`).join('')})`;
}

function renderSampleArguments({ method, path, query, headers, body, fields, file }: SampleInput): string[] {
  const requestBody = method.body;
  const texts = method.path.map(({ name }) => toLiteral(path[name], 0));
  if (requestBody?.kind === 'multipart') {
    texts.push(toLiteral({ name: FILE_NAME, content: file }, 0));
    if (requestBody.fields.length > 0) texts.push(toLiteral(fields, 0));
  } else if (requestBody)
    texts.push(toLiteral(requestBody.kind === 'raw' ? JSON.stringify(body) : (body ?? {}), 0));
  if (method.query.length > 0) texts.push(toLiteral(query, 0));
  texts.push(toLiteral(renameKeys(headers, camelCase), 0));
  // Omit empty objects at the end of the arguments, because these arguments are optional.
  while (texts.at(-1) === '{}') texts.pop();
  return texts;
}

function renameKeys(values: Readonly<Record<string, unknown>>, rename: (key: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [rename(key), value]));
}

/** Returns a value as TypeScript source, formatted roughly like Prettier does. */
function toLiteral(value: unknown, depth: number): string {
  if (typeof value === 'string') return quoteString(value);
  if (Array.isArray(value))
    return groupParts(
      value.map((item) => toLiteral(item, depth + 1)),
      ['[', ']'],
      depth,
    );
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${renderKey(name)}: ${toLiteral(member, depth + 1)}`,
  );
  return members.length === 0 ? '{}' : groupParts(members, ['{ ', ' }'], depth);
}

/** Joins parts of source code on one line if all fit; if not, writes each part on its own line. */
function groupParts(
  parts: readonly string[],
  [open, close]: readonly [string, string],
  depth: number,
): string {
  const line = open + parts.join(', ') + close;
  if (line.length <= WIDTH && !line.includes('\n')) return line;
  const indent = '  '.repeat(depth);
  return `${open.trim()}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close.trim()}`;
}

function renderKey(name: string): string {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : quoteString(name);
}

function quoteString(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return escaped.includes("'") ? JSON.stringify(text) : `'${escaped}'`;
}

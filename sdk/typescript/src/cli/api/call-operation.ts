import { basename } from 'node:path';
import type { Operation } from '../../options.ts';
import type { Arguments } from '../../request.ts';
import { UsageError, formatCount, type Context } from '../command.ts';
import { readBytes, writeBody } from '../files.ts';
import { findNearest, suggest } from '../../nearest.ts';
import { readJsonOption, parsePair } from '../option-values.ts';
import { oneLine } from '../safe-text.ts';
import { listPathValues, operationIds, operationList } from './operation-list.ts';

/** @throws UsageError for an unknown API operation, or missing values of the operation's path */
export async function callOperation(context: Context): Promise<void> {
  const { caller, args, values, out } = context;
  const [id, ...path] = args;
  if (id === undefined) throw new UsageError('Specify an operation: parley api --list lists all operations.');
  const operation = operationList.find((each) => each.id === id);
  if (!operation) throw new UsageError(describeUnknown(id, path[0]));
  requirePathValues(operation, path.length);
  if (operation.method === 'GET' && (values['body'] ?? values['file']) !== undefined)
    throw new UsageError(`${id} does not take a body. Remove --body and --file; filters belong in --query.`);
  const visitorToken = values['visitor-token'] as string | undefined;
  const response = await caller.binary(operation, await readArguments(context, path), { visitorToken });
  const location = operation.redirects && response.headers.get('location');
  if (location) {
    await response.body?.cancel();
    return out(`${oneLine(location)}\n`);
  }
  const { body, headers } = response;
  if (!body) return;
  const file = values['output'] as string | undefined;
  if (file !== undefined) return writeBody(file, body);
  const isText = /^text\/|^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '');
  if (operation.isFile && context.isOutTerminal !== true) {
    for await (const chunk of body) context.bytes(chunk);
  } else if (operation.isFile && !isText) {
    await body.cancel();
    throw new UsageError('The response is not text: write it to a file with --output <file>.');
  } else await writeText(body, out);
}

/** @throws UsageError if the number of values for the operation's path is wrong */
function requirePathValues({ id, path }: Operation, count: number): void {
  const names = listPathValues(path);
  if (names.length === count) return;
  const list = names.length === 0 ? '' : ` (${names.join(' ')})`;
  const hint = count > names.length ? ' Other values belong in --query or --body.' : '';
  throw new UsageError(`${id} takes ${formatCount(names.length, 'path value')}${list}, not ${count}.${hint}`);
}

/** Writes the text of a response. Adds a line feed if the text does not end with one. */
async function writeText(body: AsyncIterable<Uint8Array>, out: Context['out']): Promise<void> {
  const decoder = new TextDecoder();
  let last: string | undefined;
  for await (const chunk of body) {
    const text = decoder.decode(chunk, { stream: true });
    out(text);
    last = text.at(-1) ?? last;
  }
  out(decoder.decode());
  if (last !== undefined && last !== '\n') out('\n');
}

async function readArguments(context: Context, path: string[]): Promise<Arguments> {
  const { query, file } = context.values as { query?: string[]; file?: string };
  const body = await readBody(context);
  const named = { path, query: Object.fromEntries((query ?? []).map((text) => parsePair('--query', text))) };
  if (file === undefined) return { ...named, ...(body !== undefined && { json: body }) };
  const upload = { name: basename(file), content: readBytes(file) };
  return { ...named, upload: { field: 'file', file: upload, fields: (body ?? {}) as object } };
}

async function readBody(context: Context): Promise<unknown> {
  const body = context.values['body'];
  return typeof body === 'string' ? readJsonOption(context, body, 'The body') : undefined;
}

/** Returns the error message for an argument that names no API operation, such as a method or a path. */
function describeUnknown(id: string, next: string | undefined): string {
  const isMethod = /^(get|post|put|patch|delete)$/i.test(id);
  const path = isMethod ? (next ?? '') : id;
  if (!isMethod && !path.startsWith('/')) return `There is no operation ${id}.${suggestOperations(id)}`;
  const matching = operationList.filter(
    ({ method, path: template }) =>
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path.replace(/[/?]*$/, '')) &&
      (!isMethod || method === id.toUpperCase()),
  );
  const named = matching.map(({ id: name, method, path: template }) => ` ${method} ${template} is ${name}.`);
  return `Use the id of the operation.${named.join('')} parley api --list lists all operations.`;
}

function suggestOperations(id: string): string {
  const nearest = findNearest(id, operationIds);
  const containing = operationIds.filter((each) => each.toLowerCase().includes(id.toLowerCase()));
  // The word `getBots` means the operation `listBots` rather than `getBot`.
  const list = id.replace(/^[a-z]+/, 'list');
  const lists = operationIds.filter((each) => each === list && !nearest.includes(each));
  return suggest([...lists, ...(nearest.length > 0 ? nearest : containing.slice(0, 5))]);
}

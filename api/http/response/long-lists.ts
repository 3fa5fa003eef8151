import { Readable } from 'node:stream';
import type { TSchema } from '@sinclair/typebox';
import { isSliceOver, yieldToEventLoop } from '../../../core/concurrency/loop-slices.ts';
import { replyWith, type Reply } from '../operation.ts';
import { compileRenderer, type Renderer } from './render.ts';

/**
 * Minimum number of characters in a chunk of a JSON response; shorter responses are faster to render in one
 * piece.
 */
const MIN_CHUNK_LENGTH = 256 * 1024;
/**
 * Minimum number of rows in a response to render them one by one. Fewer rows take little time, even long
 * rows.
 */
const MIN_LIST_ROWS = 5;

/** Names of response properties with many rows: the rows of a page or a thread. */
const LISTS = ['items', 'messages'];

/**
 * Renders a response with a long list row by row. Undefined if the response has no long list. Returns a
 * string if the result is short.
 */
export type LongListRenderer = (result: unknown) => Promise<string | Reply> | undefined;

/**
 * Compiles a renderer that renders a response's rows one by one and yields to the event loop in between,
 * since rows may be long.
 * @param operationId name of the response for error messages
 */
export function compileLongLists(schema: TSchema, operationId: string, isChecked: boolean): LongListRenderer {
  const name = schema['type'] === 'array' ? null : LISTS.find((each) => isList(findProperty(schema, each)));
  if (name === undefined) return () => undefined;
  const list = name === null ? schema : findProperty(schema, name)!;
  const renderRow = compileRenderer(list['items'] as TSchema, operationId, { isChecked });
  const renderWhole = compileRenderer(schema, operationId, { isChecked });
  return (result) => {
    const rows = (name === null ? result : (result as Record<string, unknown>)[name]) as unknown[];
    if (!Array.isArray(rows) || rows.length < MIN_LIST_ROWS) return undefined;
    const frame = name === null ? '[]' : renderWhole({ ...(result as object), [name]: [] });
    const at = name === null ? 1 : frame.indexOf(`"${name}":[]`) + name.length + 4;
    return renderInChunks(frame.slice(0, at), rows, renderRow, frame.slice(at));
  };
}

async function renderInChunks(
  head: string,
  rows: unknown[],
  render: Renderer,
  tail: string,
): Promise<string | Reply> {
  const chunks: Buffer[] = [];
  let text = head;
  for (const [index, row] of rows.entries()) {
    if (isSliceOver()) await yieldToEventLoop();
    text += (index > 0 ? ',' : '') + render(row);
    if (text.length <= MIN_CHUNK_LENGTH) continue;
    chunks.push(Buffer.from(text));
    text = '';
  }
  if (chunks.length === 0) return text + tail;
  chunks.push(Buffer.from(text + tail));
  return replyWith.file({
    content: Readable.from(chunks),
    contentType: 'application/json; charset=utf-8',
    sizeBytes: chunks.reduce((sum, { length }) => sum + length, 0),
    isInMemory: true,
    headers: {},
  });
}

function findProperty(schema: TSchema, name: string): TSchema | undefined {
  return (schema['properties'] as Record<string, TSchema> | undefined)?.[name];
}

function isList(schema: TSchema | undefined): boolean {
  return schema?.['type'] === 'array';
}

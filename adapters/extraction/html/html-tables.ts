import type { CheerioAPI } from 'cheerio';
import { Element, Text, type AnyNode, type ChildNode } from 'domhandler';

/** Elements that stay elements within a cell of a Markdown table. All others break the table's line. */
const INLINE = new Set(
  'a,abbr,b,bdi,bdo,big,cite,code,data,del,dfn,em,font,i,img,ins,kbd,label,mark,q,s,samp,small,span,strike,strong,sub,sup,time,tt,u,var,wbr'.split(
    ',',
  ),
);
const CELLS = new Set(['td', 'th']);
const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
const TABLE_PARTS = new Set(['caption', 'tr', ...CELLS, ...SECTIONS]);

/**
 * Prepares tables for GitHub-flavoured Markdown: a header row first, and each cell on one line. Captions become
 * paragraphs above. Tables that only arrange a page, and those without cells, become plain blocks.
 */
export function tidyTables($: CheerioAPI): void {
  const tables = $('table').get();
  const parents = new Set(tables.map((table) => $(table).parent().closest('table').get(0)));
  for (const table of tables) {
    const rows = listRows(table);
    if (isLayout(table, rows, parents.has(table))) unwrapTable(table);
    else rebuildTable(table, rows);
  }
}

/** Returns the rows that have cells, those of the footer last, without those of nested tables. */
function listRows(table: Element): Element[] {
  const parts = listChildren(table);
  const isFooter = ({ tagName }: Element) => tagName === 'tfoot';
  return [...parts.filter((part) => !isFooter(part)), ...parts.filter(isFooter)]
    .flatMap((part) => (SECTIONS.has(part.tagName) ? listChildren(part) : [part]))
    .filter((row) => row.tagName === 'tr' && listCells(row).length > 0);
}

/** Returns whether a table arranges parts of a page, or holds no cells. */
function isLayout(table: Element, rows: readonly Element[], hasNested: boolean): boolean {
  if (hasNested || rows.length === 0 || /^(?:presentation|none)$/.test(table.attribs['role'] ?? ''))
    return true;
  return rows.length === 1 && listCells(rows[0]!).some((cell) => listChildren(cell).some(isBlock));
}

/** Renames a table and its parts to `div`, so that what they hold is read block by block. */
function unwrapTable(table: Element): void {
  const parts = [table];
  for (let part = parts.pop(); part; part = parts.pop()) {
    part.tagName = part.tagName === 'caption' ? 'p' : 'div';
    parts.push(...listChildren(part).filter(({ tagName }) => TABLE_PARTS.has(tagName)));
  }
}

function rebuildTable(table: Element, rows: readonly Element[]): void {
  for (const [index, row] of rows.entries()) {
    const cells = listCells(row);
    setChildren(row, cells);
    for (const cell of cells) {
      if (index === 0) cell.tagName = 'th';
      joinLines(cell);
    }
  }
  const body = new Element('tbody', {});
  setChildren(body, rows);
  const captions = listChildren(table).filter(({ tagName }) => tagName === 'caption');
  for (const caption of captions) caption.tagName = 'p';
  const grid = new Element('table', {});
  setChildren(grid, [body]);
  table.tagName = 'div';
  setChildren(table, [...captions, grid]);
}

/** Makes a cell one line: its paragraphs, lists and line breaks become text between spaces. */
function joinLines(cell: Element): void {
  const open = listChildren(cell);
  for (let part = open.pop(); part; part = open.pop()) {
    open.push(...listChildren(part));
    if (!isBlock(part)) continue;
    part.tagName = 'span';
    setChildren(part, [new Text(' '), ...part.children, new Text(' ')]);
  }
}

/** Replaces all children at once. Moving them one by one takes quadratic time. */
function setChildren(parent: Element, children: readonly ChildNode[]): void {
  parent.children = [...children];
  for (const [index, child] of children.entries()) {
    child.parent = parent;
    child.prev = children[index - 1] ?? null;
    child.next = children[index + 1] ?? null;
  }
}

const listChildren = (element: Element): Element[] => element.children.filter(isElement);
const listCells = (row: Element): Element[] => listChildren(row).filter(({ tagName }) => CELLS.has(tagName));
const isBlock = ({ tagName }: Element): boolean => !INLINE.has(tagName);
const isElement = (node: AnyNode): node is Element => node.type === 'tag';

import type { CheerioAPI } from 'cheerio';
import { Element, Text } from 'domhandler';
import { isBlock, listElements, setChildren } from './page-tree.ts';

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
  const parts = listElements(table);
  const isFooter = ({ tagName }: Element) => tagName === 'tfoot';
  return [...parts.filter((part) => !isFooter(part)), ...parts.filter(isFooter)]
    .flatMap((part) => (SECTIONS.has(part.tagName) ? listElements(part) : [part]))
    .filter((row) => row.tagName === 'tr' && listCells(row).length > 0);
}

/** Returns whether a table arranges parts of a page, or holds no cells. */
function isLayout(table: Element, rows: readonly Element[], hasNested: boolean): boolean {
  if (hasNested || rows.length === 0 || /^(?:presentation|none)$/.test(table.attribs['role'] ?? ''))
    return true;
  return rows.length === 1 && listCells(rows[0]!).some((cell) => listElements(cell).some(isBlock));
}

/** Renames a table and its parts to `div`, so that what they hold is read block by block. */
function unwrapTable(table: Element): void {
  const parts = [table];
  for (let part = parts.pop(); part; part = parts.pop()) {
    part.tagName = part.tagName === 'caption' ? 'p' : 'div';
    parts.push(...listElements(part).filter(({ tagName }) => TABLE_PARTS.has(tagName)));
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
  const captions = listElements(table).filter(({ tagName }) => tagName === 'caption');
  for (const caption of captions) caption.tagName = 'p';
  const grid = new Element('table', {});
  setChildren(grid, [body]);
  table.tagName = 'div';
  setChildren(table, [...captions, grid]);
}

/** Makes a cell one line: its paragraphs, lists and line breaks become text between spaces. */
function joinLines(cell: Element): void {
  const open = listElements(cell);
  for (let part = open.pop(); part; part = open.pop()) {
    open.push(...listElements(part));
    if (!isBlock(part)) continue;
    part.tagName = 'span';
    setChildren(part, [new Text(' '), ...part.children, new Text(' ')]);
  }
}

const listCells = (row: Element): Element[] => listElements(row).filter(({ tagName }) => CELLS.has(tagName));

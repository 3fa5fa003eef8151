import type { CheerioAPI } from 'cheerio';
import { cloneNode, Element, Text } from 'domhandler';
import { isBlock, listElements, measureText, setChildren } from './page-tree.ts';

const CELLS = new Set(['td', 'th']);
const SECTIONS = new Set(['thead', 'tbody', 'tfoot']);
/**
 * Maximum number of a page's cells in which merged cells are repeated, and maximum number of columns that one
 * cell covers.
 */
const MAX_REPEATED = 5000;
const MAX_COLUMNS = 200;
/** Maximum letters of a table cell that is repeated in the rows which it covers. */
const MAX_REPEATED_LETTERS = 300;
const TABLE_PARTS = new Set(['caption', 'tr', ...CELLS, ...SECTIONS]);

/**
 * Prepares the tables of a page for GitHub-flavored Markdown: a header row first, and each cell on one line.
 * Captions become paragraphs above. Tables that only arrange a page, and those without cells, become plain
 * blocks.
 */
export function tidyTables($: CheerioAPI): void {
  const tables = $('table').get();
  const fill = createMergedCellFiller();
  const parents = new Set(tables.map((table) => $(table).parent().closest('table').get(0)));
  for (const table of tables) {
    const rows = listRows(table);
    if (isLayout(table, rows, parents.has(table))) unwrapTable(table);
    else rebuildTable(table, rows, fill);
  }
}

/** Returns the rows of a table that have cells, the footer's rows last, without the rows of nested tables. */
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

/** Renames a table and its parts to `div`, so that their content is read block by block. */
function unwrapTable(table: Element): void {
  const parts = [table];
  for (let part = parts.pop(); part; part = parts.pop()) {
    part.tagName = part.tagName === 'caption' ? 'p' : 'div';
    parts.push(...listElements(part).filter(({ tagName }) => TABLE_PARTS.has(tagName)));
  }
}

function rebuildTable(table: Element, rows: readonly Element[], fill: CellFiller): void {
  const filled = fill(rows.map(listCells));
  for (const [index, row] of rows.entries()) {
    const cells = filled[index]!;
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

type CellFiller = (rows: readonly Element[][]) => Element[][];

/**
 * Creates a function that puts each cell of an HTML table into its column. A cell that covers several rows is
 * repeated in each of them, and further columns that it covers stay empty. Only short cells are repeated, up
 * to a limit, since pages can declare any number of rows.
 */
function createMergedCellFiller(): CellFiller {
  let repeatsLeft = MAX_REPEATED;
  return (rows) => {
    /** Cells of the table that cover the next rows, by their column. */
    const coveringCells = new Map<number, { cell: Element; rowsLeft: number }>();
    return rows.map((cells) => {
      const filled: Element[] = [];
      const repeatCoveringCells = () => {
        for (
          let above = coveringCells.get(filled.length);
          above && repeatsLeft > 0;
          above = coveringCells.get(filled.length)
        ) {
          above.rowsLeft -= 1;
          if (above.rowsLeft === 0) coveringCells.delete(filled.length);
          filled.push(cloneNode(above.cell, true));
          repeatsLeft -= 1;
        }
      };
      for (const [index, cell] of cells.entries()) {
        repeatCoveringCells();
        const rowsLeft = readSpan(cell, 'rowspan', rows.length) - 1;
        if (rowsLeft > 0 && measureText(cell).letters <= MAX_REPEATED_LETTERS)
          coveringCells.set(filled.length, { cell, rowsLeft });
        filled.push(cell);
        const isLast = index === cells.length - 1;
        for (
          let span = isLast ? 1 : readSpan(cell, 'colspan', MAX_COLUMNS);
          span > 1 && repeatsLeft > 0;
          span -= 1
        ) {
          filled.push(new Element(cell.tagName, {}));
          repeatsLeft -= 1;
        }
      }
      repeatCoveringCells();
      return filled;
    });
  };
}

function readSpan({ attribs }: Element, name: 'rowspan' | 'colspan', max: number): number {
  const span = Number.parseInt(attribs[name] ?? '1', 10);
  // A rowspan of 0 covers all rows that follow.
  return span === 0 && name === 'rowspan' ? max : Math.min(Math.max(1, span || 1), max);
}

/** Converts a table cell to one line: its paragraphs, lists and line breaks become text between spaces. */
function joinLines(cell: Element): void {
  const pending = listElements(cell);
  for (let part = pending.pop(); part; part = pending.pop()) {
    pending.push(...listElements(part));
    if (!isBlock(part)) continue;
    part.tagName = 'span';
    setChildren(part, [new Text(' '), ...part.children, new Text(' ')]);
  }
}

const listCells = (row: Element): Element[] => listElements(row).filter(({ tagName }) => CELLS.has(tagName));

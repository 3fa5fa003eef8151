import { extractionLimits } from '../../extraction-limits.ts';
import { childElements, findChild, readChildValue, type XmlElement } from '../../xml-tree.ts';
import { readSwitch } from '../office-values.ts';
import type { AlternateContent } from './word-graphics.ts';

export interface WordCell {
  element: XmlElement;
  /** Index of the table cell's first column, from 0. */
  column: number;
  /** Role of the table cell among cells that are merged across rows. */
  merge: 'restart' | 'continue' | null;
}

/** Lists the visible rows of a Word table with their cells, including cells within content controls. */
export function readTableRows(table: XmlElement, alternates: AlternateContent): WordCell[][] {
  return listElements(table, 'tr', alternates)
    .filter((row) => !isOmitted(findChild(row, 'trPr')))
    .map((row) => readCells(row, alternates))
    .filter((cells) => cells.length > 0);
}

function readCells(row: XmlElement, alternates: AlternateContent): WordCell[] {
  const cells: WordCell[] = [];
  let column = readCount(findChild(row, 'trPr'), 'gridBefore', 0);
  for (const element of listElements(row, 'tc', alternates)) {
    const properties = findChild(element, 'tcPr');
    const span = readCount(properties, 'gridSpan', 1);
    const vertical = findChild(properties, 'vMerge');
    const isContinued = vertical && readChildValue(properties, 'vMerge') !== 'restart';
    // Word only shows the first of cells that are merged across columns.
    const isCovered = readChildValue(properties, 'hMerge') === 'continue';
    if (!findChild(properties, 'cellDel') && !isCovered)
      cells.push({ element, column, merge: vertical ? (isContinued ? 'continue' : 'restart') : null });
    column += span;
    if (column >= extractionLimits.csvColumns) break;
  }
  return cells;
}

const isOmitted = (properties: XmlElement | undefined) =>
  findChild(properties, 'del') !== undefined || readSwitch(findChild(properties, 'hidden')) === true;

function readCount(properties: XmlElement | undefined, name: string, fallback: number): number {
  const count = Number.parseInt(readChildValue(properties, name) ?? '', 10);
  return count >= 0 ? Math.min(count, extractionLimits.csvColumns) : fallback;
}

/** Lists the elements with a name in a Word table or row, at any depth but not in nested tables. */
function listElements(parent: XmlElement, name: 'tr' | 'tc', alternates: AlternateContent): XmlElement[] {
  return [...childElements(parent)].flatMap((child) => {
    if (child.name === name) return [child];
    if (child.name === 'AlternateContent') {
      const choice = alternates.choose(child);
      return choice ? listElements(choice, name, alternates) : [];
    }
    const isOther = /^(?:tbl|del|moveFrom|p|[a-z]+Pr|[a-z]+PrEx|tblGrid)$/i.test(child.name);
    return isOther ? [] : listElements(child, name, alternates);
  });
}

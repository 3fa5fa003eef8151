import { readXml } from '../read-xml.ts';
import { createNumberStyle, type NumberStyle } from './sheet-values.ts';

/** Formats of an Excel sheet's cells, by the index of their style. */
export interface CellStyles {
  numbers: NumberStyle[];
  /** True for each cell style with white letters on a white background. */
  areUnreadable: boolean[];
}

/** Matches the color white in Excel, optionally with an alpha value of full opacity. */
const WHITE = /^(?:ff)?(?:f[\da-f]){3}$/i;

/** Reads the number formats and colors of an Excel file's cell styles. */
export function readCellStyles(bytes: Buffer | null): CellStyles {
  const patterns = new Map<number, string>();
  const cells: { format: number; font: number; fill: number }[] = [];
  const whiteFonts: boolean[] = [];
  const emptyFills: boolean[] = [];
  const path: string[] = [];
  if (!bytes) return { numbers: [], areUnreadable: [] };
  readXml(bytes, {
    open: (name, attributes) => {
      const [list, parent] = [path.at(-2), path.at(-1)];
      const { numFmtId, formatCode, fontId, fillId, rgb, patternType = 'none' } = attributes;
      if (name === 'numFmt' && parent === 'numFmts') patterns.set(Number(numFmtId), formatCode ?? '');
      else if (name === 'xf' && parent === 'cellXfs')
        cells.push({ format: Number(numFmtId ?? 0), font: Number(fontId ?? 0), fill: Number(fillId ?? 0) });
      else if (name === 'font' && parent === 'fonts') whiteFonts.push(false);
      else if (name === 'color' && parent === 'font' && list === 'fonts')
        whiteFonts[whiteFonts.length - 1] = WHITE.test(rgb ?? '');
      else if (parent === 'fill' && list === 'fills')
        emptyFills.push(name === 'patternFill' && patternType === 'none');
      path.push(name);
    },
    close: () => void path.pop(),
  });
  const numbers = new Map<number, NumberStyle>();
  return {
    numbers: cells.map(({ format }) => {
      const style = numbers.get(format) ?? createNumberStyle(format, patterns);
      numbers.set(format, style);
      return style;
    }),
    areUnreadable: cells.map(({ font, fill }) => whiteFonts[font] === true && emptyFills[fill] !== false),
  };
}

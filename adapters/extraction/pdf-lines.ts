import { cleanLine } from './clean-text.ts';

/** The fields of a pdf.js text item that tell where it stands. */
export interface PdfTextItem {
  str: string;
  /** Affine matrix; the last two numbers are x and y, from the lower left corner of the page. */
  transform: number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

export interface PdfLine {
  text: string;
  y: number;
  /** Where the line ends. */
  right: number;
  /** Height of the letters. */
  size: number;
}

/** The lines of a page in the order they were written, with the spaces that only positions show. */
export function pageLines(items: readonly PdfTextItem[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let line: PdfLine | null = null;
  const close = () => {
    const text = cleanLine(line?.text ?? '');
    if (line && text) lines.push({ ...line, text });
    line = null;
  };
  for (const item of items) {
    const [x, y] = [item.transform[4] ?? 0, item.transform[5] ?? 0];
    const size = letterSize(item);
    if (line && item.str.trim() && Math.abs(y - line.y) > Math.max(size, line.size) * 0.6) close();
    if (line) {
      line.text += (item.str.trim() ? separator(x - line.right, size) : '') + item.str;
      if (item.str.trim()) [line.right, line.size] = [x + item.width, Math.max(line.size, size)];
    } else if (item.str.trim()) line = { text: item.str, y, size, right: x + item.width };
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

/** Words may stand apart without a space between them; what stands far apart is a table's next cell. */
function separator(gap: number, size: number): string {
  if (gap > size) return ' | ';
  return gap > size * 0.2 ? ' ' : '';
}

function letterSize({ transform, height }: PdfTextItem): number {
  return height || Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
}

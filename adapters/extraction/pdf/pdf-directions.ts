import type { PdfTextItem } from './pdf-text-item.ts';

/** Edges of a page: left, bottom, right and top, in PDF units. */
export type PageBox = readonly number[];

/**
 * Text of a PDF page that runs in one direction, in coordinates in which it runs from left to right and
 * downwards.
 */
export interface DirectedText {
  items: PdfTextItem[];
  /** Lowest and highest y coordinate of the page. */
  bottom: number;
  top: number;
  /** True if the text is at an angle, such as a watermark across the page. */
  isSlanted: boolean;
}

/**
 * Angle of a line of text in degrees, counterclockwise; `columns` for vertical lines that follow from right
 * to left.
 */
type Direction = 0 | 90 | 180 | 270 | 'columns' | 'slanted';

/** Maximum angle, in degrees, between a line of text and the edge of the page that the line follows. */
const TOLERANCE = 15;

/**
 * Splits a PDF page into its upright, rotated and vertical texts, and turns each upright. The longest text
 * comes first, slanted text last.
 */
export function splitByDirection(items: readonly PdfTextItem[], box: PageBox): DirectedText[] {
  const groups = new Map<Direction, PdfTextItem[]>();
  let direction: Direction = 0;
  for (const item of items) {
    // White space has no writing direction of its own. It belongs to the text before it.
    if (item.str.trim() !== '') direction = detectDirection(item);
    const group = groups.get(direction) ?? [];
    groups.set(direction, group);
    group.push(turnItem(item, direction));
  }
  const rank = (key: Direction) => (key === 'slanted' ? -1 : countCharacters(groups.get(key)!));
  return [...groups.keys()]
    .sort((left, right) => rank(right) - rank(left))
    .map((key) => {
      const [, y1] = turn(box[0]!, box[1]!, key);
      const [, y2] = turn(box[2]!, box[3]!, key);
      return {
        items: groups.get(key)!,
        bottom: Math.min(y1, y2),
        top: Math.max(y1, y2),
        isSlanted: key === 'slanted',
      };
    });
}

function detectDirection({ dir, transform }: PdfTextItem): Direction {
  if (dir === 'ttb') return 'columns';
  const degrees = (Math.atan2(transform[1] ?? 0, transform[0] ?? 0) * 180) / Math.PI;
  const quarters = Math.round(degrees / 90);
  if (Math.abs(degrees - quarters * 90) > TOLERANCE) return 'slanted';
  return (((quarters + 4) % 4) * 90) as 0 | 90 | 180 | 270;
}

function turnItem(item: PdfTextItem, direction: Direction): PdfTextItem {
  if (direction === 0 || direction === 'slanted') return item;
  const { transform, width, height } = item;
  const [a = 0, b = 0, c = 0, d = 0] = transform;
  const [x, y] = turn(transform[4] ?? 0, transform[5] ?? 0, direction);
  const turned = { ...item, transform: [Math.hypot(a, b), 0, 0, Math.hypot(c, d), x, y] };
  // Swap width and height of vertical text back, which pdf.js has swapped.
  return direction === 'columns' ? { ...turned, width: height, height: width } : turned;
}

function turn(x: number, y: number, direction: Direction): [number, number] {
  if (direction === 90) return [y, -x];
  if (direction === 180) return [-x, -y];
  return direction === 270 || direction === 'columns' ? [-y, x] : [x, y];
}

const countCharacters = (items: readonly PdfTextItem[]) =>
  items.reduce((total, { str }) => total + str.length, 0);

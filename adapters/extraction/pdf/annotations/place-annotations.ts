import { UNCHECKED } from './pdf-annotations.ts';
import { getX, getY, measureLetterSize, type PdfTextItem } from '../pdf-text-item.ts';

/**
 * Maximum gap between a form field and its printed label, in letter heights. After a colon, the maximum is
 * greater.
 */
const MAX_GAP = 4;
const MAX_GAP_AFTER_COLON = 20;
/** Gap that becomes a space between a label and its form field, in letter heights. */
const SPACE = 0.3;
/** Maximum distance of a label's base line below the base line of its form field, in letter heights. */
const LEVEL = 0.8;

interface Neighbors {
  /** Indexes of the text items nearest to an annotation on the same line; undefined if no item is near. */
  left: number | undefined;
  right: number | undefined;
  /** Index of the nearest text item above the annotation. */
  above: number | undefined;
}

/**
 * Moves the texts of annotations to their places in the order of the page: a value after its printed label,
 * the mark of a check box before its label, any other text below the line above.
 * @param items upright text of a page, which annotations follow in any order
 */
export function placeAnnotations(items: readonly PdfTextItem[]): readonly PdfTextItem[] {
  const annotations = items.filter(({ annotation }) => annotation);
  if (annotations.length === 0) return items;
  const printed = items.filter(({ annotation }) => !annotation);
  const size = findCommonSize(printed) ?? measureLetterSize(annotations[0]!);
  const findNeighbors = createNeighborSearch(printed);
  const before = new Map<number, PdfTextItem[]>();
  const after = new Map<number, PdfTextItem[]>();
  const addPlace = (places: Map<number, PdfTextItem[]>, index: number, item: PdfTextItem) =>
    places.set(index, [...(places.get(index) ?? []), item]);
  for (const item of annotations.toSorted(
    (upper, lower) => getY(lower) - getY(upper) || getX(upper) - getX(lower),
  )) {
    const { left, right, above } = findNeighbors(item);
    if (item.annotation!.isMark && isNear(printed, right, item)) {
      const label = printed[right!]!;
      const x = getX(label) - measureLetterSize(label) * (SPACE + 0.5);
      addPlace(before, right!, moveTo(item, x, label));
    } else if (isNear(printed, left, item)) {
      const label = printed[left!]!;
      // A label belongs to the first field that follows it.
      const x = after.has(left!) ? getX(item) : getX(label) + label.width + measureLetterSize(label) * SPACE;
      addPlace(after, left!, moveTo(item, x, label));
    } else {
      const neighbors = [left, right, above].map((index) => (index === undefined ? '' : printed[index]!.str));
      const text = addLabel(item, neighbors);
      if (text === UNCHECKED) continue;
      const cell = { ...item, str: text, height: size };
      if (left !== undefined) addPlace(after, left, cell);
      else if (right !== undefined) addPlace(before, right, cell);
      else
        addPlace(after, findEndOfLine(printed, above), {
          ...cell,
          annotation: { ...cell.annotation!, isSeparate: true },
        });
    }
  }
  const placed = [...(after.get(-1) ?? [])];
  for (const [index, item] of printed.entries()) {
    const following = after.get(index) ?? [];
    placed.push(
      ...(before.get(index) ?? []),
      following.length > 0 ? { ...item, hasEOL: false } : item,
      ...following,
    );
  }
  return placed;
}

function isNear(printed: readonly PdfTextItem[], index: number | undefined, item: PdfTextItem): boolean {
  const label = index === undefined ? undefined : printed[index];
  if (!label) return false;
  const gap = Math.max(getX(item) - getX(label) - label.width, getX(label) - getX(item) - item.width);
  const maxGap = /[:：]\s*$/.test(label.str) ? MAX_GAP_AFTER_COLON : MAX_GAP;
  return gap <= measureLetterSize(label) * maxGap;
}

function moveTo(item: PdfTextItem, x: number, label: PdfTextItem): PdfTextItem {
  const size = measureLetterSize(label);
  return {
    ...item,
    transform: [size, 0, 0, size, x, getY(label)],
    width: item.annotation!.isMark ? size * 0.5 : item.width,
    height: size,
  };
}

/** Returns the text of a form field with the field's name, unless the page shows the name next to it. */
function addLabel({ str, annotation }: PdfTextItem, neighbors: readonly string[]): string {
  const { isMark, label } = annotation!;
  const isPrinted = (name: string) =>
    neighbors.some((text) => text.toLowerCase().includes(name.toLowerCase()));
  if (label === null || label === str || isPrinted(label)) return str;
  return isMark ? `${str} ${label}` : `${label}: ${str}`;
}

/** Returns the most common letter size of a page's characters; undefined for a page without text. */
function findCommonSize(items: readonly PdfTextItem[]): number | undefined {
  const characters = new Map<number, number>();
  for (const item of items) {
    const size = measureLetterSize(item);
    characters.set(size, (characters.get(size) ?? 0) + item.str.trim().length);
  }
  const [mostCommon] = [...characters].sort((left, right) => right[1] - left[1]);
  return mostCommon?.[0];
}

/** Creates a function that finds the neighbors of an annotation by binary search in items sorted by height. */
function createNeighborSearch(printed: readonly PdfTextItem[]): (item: PdfTextItem) => Neighbors {
  const order = printed
    .map((_item, index) => index)
    .filter((index) => printed[index]!.str.trim() !== '')
    .sort((left, right) => getY(printed[left]!) - getY(printed[right]!));
  const heights = order.map((index) => getY(printed[index]!));
  return (item) => {
    const size = measureLetterSize(item);
    const [x, y] = [getX(item), getY(item)];
    let position = findFirst(heights, y - size * LEVEL);
    const neighbors: Neighbors = { left: undefined, right: undefined, above: undefined };
    for (; position < order.length && heights[position]! <= y + size * LEVEL; position++) {
      const index = order[position]!;
      const other = printed[index]!;
      if (getX(other) <= x) {
        if (neighbors.left === undefined || getX(other) > getX(printed[neighbors.left]!))
          neighbors.left = index;
      } else if (neighbors.right === undefined || getX(other) < getX(printed[neighbors.right]!))
        neighbors.right = index;
    }
    const height = heights[position];
    for (; position < order.length && heights[position]! <= height! + size * LEVEL; position++) {
      const index = order[position]!;
      const distance = (place: number) => Math.abs(getX(printed[place]!) - x);
      if (neighbors.above === undefined || distance(index) < distance(neighbors.above))
        neighbors.above = index;
    }
    return neighbors;
  };
}

/** Returns the index of the first value that is not less than a limit, in sorted values. */
function findFirst(sorted: readonly number[], limit: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the last text item on the line of an item; -1 for the beginning of the page. */
function findEndOfLine(printed: readonly PdfTextItem[], index: number | undefined): number {
  if (index === undefined) return -1;
  const line = printed[index]!;
  let end = index;
  while (!printed[end]!.hasEOL && end + 1 < printed.length) {
    const next = printed[end + 1]!;
    if (next.str.trim() !== '' && Math.abs(getY(next) - getY(line)) > measureLetterSize(line) * LEVEL) break;
    end++;
  }
  return end;
}

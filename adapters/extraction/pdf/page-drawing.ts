import type { getResolvedPDFJS } from 'unpdf';
import { applyOperator } from './graphics-states.ts';
import { measureArea, multiply, type PdfMatrix } from './pdf-matrix.ts';

/** A text that a PDF page draws in one step. */
export interface DrawnText {
  text: string;
  /** Matrix of the text's start, like the matrix of a text item. */
  transform: PdfMatrix;
}

/** Layers of a PDF document, some of which a viewer does not show at first. */
export interface LayerConfig {
  isVisible(layer: unknown): boolean;
}

type Operators = Awaited<ReturnType<typeof getResolvedPDFJS>>['OPS'];

/** A drawn glyph (shape of a letter) of pdf.js, or a gap in thousandths of the letter size. */
type Glyph = number | { unicode?: string; width?: number; isSpace?: boolean } | null;

interface GraphicsState {
  matrix: PdfMatrix;
  fontSize: number;
  charSpacing: number;
  wordSpacing: number;
  horizontalScale: number;
  leading: number;
  rise: number;
  mode: number;
  color: string;
  alpha: number;
}

/** Left, bottom, right and top edge of an area on the page. */
type Box = readonly [number, number, number, number];

const IDENTITY: PdfMatrix = [1, 0, 0, 1, 0, 0];
const INITIAL: GraphicsState = {
  matrix: IDENTITY,
  fontSize: 0,
  charSpacing: 0,
  wordSpacing: 0,
  horizontalScale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
  color: '#000000',
  alpha: 1,
};
/** PDF rendering modes of text that draw nothing, and that fill letters without an outline. */
const INVISIBLE_MODES = new Set([3, 7]);
const FILLING_MODES = new Set([0, 4]);
/** Matches white, and colors that differ from white only by rounding. */
const WHITE = /^#(?:f[a-f0-9]){3}$/i;
/** Gap between two drawn glyphs that separates words, in thousandths of the letter size. */
const WORD_GAP = -200;
/**
 * Minimum area of a drawn picture, in square PDF units. A smaller unit square is only a coordinate system.
 */
const MIN_PICTURE_AREA = 400;
/**
 * Maximum number of painted areas of a page that are compared with its white text. With more areas, white
 * text counts as visible.
 */
const MAX_AREAS = 2000;
/** Maximum number of hidden texts that are recorded for a page. */
const MAX_HIDDEN = 5000;

/** Follows the drawing operators of a PDF page, and decides which of its texts are visible. */
export class PageDrawing {
  readonly #OPS: Operators;
  readonly #layers: LayerConfig | null;
  readonly #saved: GraphicsState[] = [];
  #state = INITIAL;
  #textMatrix = IDENTITY;
  #lineMatrix = IDENTITY;
  /** Marked contents of the page that are open, innermost last: true if the content's layer is off. */
  readonly #marks: boolean[] = [];
  readonly #pictures: Box[] = [];
  readonly #painted: Box[] = [];
  #isPaintedAround = false;
  readonly #offLayer: DrawnText[] = [];
  readonly #invisible: DrawnText[] = [];
  readonly #white: DrawnText[] = [];
  #letters = 0;

  constructor(operators: Operators, layers: LayerConfig | null) {
    this.#OPS = operators;
    this.#layers = layers;
  }

  /**
   * Returns the texts that readers do not see. Invisible text over a picture is its recognized text, and
   * counts as visible. If a page hides all its text on layers, or more than half of it in other ways, the
   * page shows pictures of its text. The hidden text then counts as visible.
   */
  listHidden(): DrawnText[] {
    const isOn = (boxes: readonly Box[]) => (text: DrawnText) => boxes.some((box) => isInside(box, text));
    const isOverPicture = isOn(this.#pictures);
    const isOverPaint = isOn([...this.#pictures, ...this.#painted]);
    const invisible = this.#invisible.filter((text) => !isOverPicture(text));
    const white = this.#isPaintedAround ? [] : this.#white.filter((text) => !isOverPaint(text));
    const unseen = [...invisible, ...white];
    const offLayer = countLetters(this.#offLayer) < this.#letters ? this.#offLayer : [];
    return countLetters(unseen) * 2 > this.#letters ? offLayer : [...offLayer, ...unseen];
  }

  add(operator: number, args: readonly unknown[]): void {
    const OPS = this.#OPS;
    this.#state = applyOperator(OPS, this.#saved, this.#state, operator, args);
    switch (operator) {
      case OPS.transform:
        return this.#addPicture();
      case OPS.constructPath:
        return this.#addPath(args);
      case OPS.shadingFill:
      case OPS.rawFillPath:
        this.#isPaintedAround = true;
        return;
      case OPS.beginMarkedContentProps:
        return void this.#marks.push(this.#isOff(args));
      case OPS.beginMarkedContent:
        return void this.#marks.push(false);
      case OPS.endMarkedContent:
        return void this.#marks.pop();
      case OPS.setFillRGBColor:
        return this.#set({ color: String(args[0]) });
      case OPS.setFillColorN:
      case OPS.setFillTransparent:
        return this.#set({ color: '' });
      case OPS.setGState:
        return this.#setStates(args[0]);
      default:
        return this.#addText(operator, args);
    }
  }

  #addText(operator: number, args: readonly unknown[]): void {
    const OPS = this.#OPS;
    const [first = 0, second = 0] = args.map(Number);
    switch (operator) {
      case OPS.beginText:
        this.#textMatrix = this.#lineMatrix = IDENTITY;
        return;
      case OPS.setTextMatrix:
        this.#textMatrix = this.#lineMatrix = toMatrix(args[0]);
        return;
      case OPS.setFont:
        return this.#set({ fontSize: second });
      case OPS.setCharSpacing:
        return this.#set({ charSpacing: first });
      case OPS.setWordSpacing:
        return this.#set({ wordSpacing: first });
      case OPS.setHScale:
        return this.#set({ horizontalScale: first / 100 });
      case OPS.setTextRise:
        return this.#set({ rise: first });
      case OPS.setTextRenderingMode:
        return this.#set({ mode: first });
      case OPS.setLeading:
        return this.#set({ leading: first });
      case OPS.setLeadingMoveText:
        this.#set({ leading: -second });
        return this.#moveLine(first, second);
      case OPS.moveText:
        return this.#moveLine(first, second);
      case OPS.nextLine:
        return this.#moveLine(0, -this.#state.leading);
      case OPS.showText:
        return this.#showText(Array.isArray(args[0]) ? (args[0] as Glyph[]) : []);
    }
  }

  #set(changes: Partial<GraphicsState>): void {
    this.#state = { ...this.#state, ...changes };
  }

  #setStates(entries: unknown): void {
    if (!Array.isArray(entries)) return;
    for (const [name, value] of entries as [unknown, unknown][]) {
      if (name === 'ca') this.#set({ alpha: Number(value) });
      if (name === 'Font' && Array.isArray(value)) this.#set({ fontSize: Number(value[1]) });
    }
  }

  #isOff([tag, layer]: readonly unknown[]): boolean {
    return tag === 'OC' && layer !== null && this.#layers?.isVisible(layer) === false;
  }

  /**
   * Adds the area onto which a picture is drawn (the unit square). The picture itself is ignored, since
   * pictures are not decoded.
   */
  #addPicture(): void {
    const { matrix } = this.#state;
    if (measureArea(matrix) >= MIN_PICTURE_AREA) this.#addArea(this.#pictures, [0, 0, 1, 1]);
  }

  #addPath([paint, , bounds]: readonly unknown[]): void {
    const OPS = this.#OPS;
    if (paint === OPS.endPath || paint === OPS.stroke || paint === OPS.closeStroke) return;
    if (!bounds || WHITE.test(this.#state.color)) return;
    const [left = 0, bottom = 0, right = 0, top = 0] = Array.from(bounds as ArrayLike<number>);
    this.#addArea(this.#painted, [left, bottom, right, top]);
  }

  #addArea(areas: Box[], box: Box): void {
    if (areas.length >= MAX_AREAS) this.#isPaintedAround = true;
    else areas.push(transformBox(this.#state.matrix, box));
  }

  #moveLine(x: number, y: number): void {
    this.#textMatrix = this.#lineMatrix = multiply(this.#lineMatrix, [1, 0, 0, 1, x, y]);
  }

  #showText(glyphs: readonly Glyph[]): void {
    const { matrix, rise, mode, color, alpha } = this.#state;
    const transform = multiply(multiply(matrix, this.#textMatrix), [1, 0, 0, 1, 0, rise]);
    const text = glyphs.map(readGlyph).join('');
    const width = glyphs.reduce<number>((total, glyph) => total + this.#measureGlyph(glyph), 0);
    this.#textMatrix = multiply(this.#textMatrix, [1, 0, 0, 1, width, 0]);
    this.#letters += countLetters([{ text }]);
    const isUnfilled = FILLING_MODES.has(mode) && alpha === 0;
    if (this.#marks.includes(true)) this.#hide(this.#offLayer, { text, transform });
    else if (INVISIBLE_MODES.has(mode) || isUnfilled) this.#hide(this.#invisible, { text, transform });
    else if (FILLING_MODES.has(mode) && WHITE.test(color)) this.#hide(this.#white, { text, transform });
  }

  #hide(texts: DrawnText[], text: DrawnText): void {
    if (texts.length < MAX_HIDDEN && text.text.trim() !== '') texts.push(text);
  }

  #measureGlyph(glyph: Glyph): number {
    const { fontSize, charSpacing, wordSpacing, horizontalScale } = this.#state;
    if (glyph === null) return 0;
    if (typeof glyph === 'number') return (-glyph / 1000) * fontSize * horizontalScale;
    const { width = 0, isSpace = false } = glyph;
    return ((width / 1000) * fontSize + charSpacing + (isSpace ? wordSpacing : 0)) * horizontalScale;
  }
}

function readGlyph(glyph: Glyph): string {
  if (typeof glyph === 'number') return glyph < WORD_GAP ? ' ' : '';
  return glyph?.unicode ?? '';
}

const countLetters = (texts: readonly Pick<DrawnText, 'text'>[]): number =>
  texts.reduce((total, { text }) => total + text.replaceAll(/\s/g, '').length, 0);

function toMatrix(value: unknown): PdfMatrix {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = Array.from(value as ArrayLike<number>);
  return [a, b, c, d, e, f];
}

function transformBox(matrix: PdfMatrix, [left, bottom, right, top]: Box): Box {
  const corners = [
    [left, bottom],
    [left, top],
    [right, bottom],
    [right, top],
  ].map(([x = 0, y = 0]) => multiply(matrix, [1, 0, 0, 1, x, y]));
  const [xs, ys] = [corners.map((corner) => corner[4]), corners.map((corner) => corner[5])];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function isInside([left, bottom, right, top]: Box, { transform: [, , , , x, y] }: DrawnText): boolean {
  return x >= left && x <= right && y >= bottom && y <= top;
}

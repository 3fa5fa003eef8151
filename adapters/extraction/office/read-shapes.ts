import { cleanLine } from '../clean-text.ts';
import { readOfficeMath } from './office-math.ts';
import { readXml, type XmlAttributes } from '../read-xml.ts';
import { writePositioned, type TextPosition } from '../raised-text.ts';
import { isOn } from './office-values.ts';
import { renderMarkdownTable } from '../section-builder.ts';
import { XmlTreeBuilder } from '../xml-tree.ts';

/** A box on a slide, with its paragraphs and tables. */
export interface Shape {
  /** Role of the box in the slide's layout, such as `title`; null for a box that the author added. */
  role: string | null;
  blocks: string[];
}

interface Line {
  text: string;
  level: number;
  isListed: boolean;
}

/** Roles of a slide's boxes that have no content of their own: slide number, date, header and footer. */
const DECORATIVE_ROLES = new Set(['sldNum', 'dt', 'hdr', 'ftr']);

/** Maximum number of characters that a slide's merged table cells add in the rows that they cover. */
const MAX_REPEATED_CHARACTERS = 100_000;
/**
 * Number of significant digits of a chart's value that are kept; further digits are rounding errors of binary
 * fractions.
 */
const DIGITS = 15;

/** Size of all slides of a presentation, in units of a 914,400th of an inch. */
export interface SlideSize {
  width: number;
  height: number;
}

/**
 * Reads the boxes of a slide, including those in groups.
 * @param size size of the slide; boxes outside of the slide are omitted, unless an animation moves a box
 */
export function readShapes(bytes: Buffer, size?: SlideSize): { shapes: Shape[]; isHidden: boolean } {
  const reader = new ShapeReader(size);
  readXml(bytes, reader);
  const { shapes, besides: outside, isHidden, hasMotion } = reader;
  return { shapes: hasMotion ? shapes : shapes.filter((shape) => !outside.has(shape)), isHidden };
}

/** Reads the texts of a SmartArt diagram as a list, in the order of the file. */
export function readDiagram(bytes: Buffer): string[] {
  const reader = new ShapeReader();
  readXml(bytes, reader);
  const lines = reader.lines.map(({ text }) => `- ${text}`);
  return lines.length > 0 ? [lines.join('\n')] : [];
}

class ShapeReader {
  readonly shapes: Shape[] = [];
  /** Boxes that lie outside of the slide's area. */
  readonly besides = new Set<Shape>();
  isHidden = false;
  /** True if an animation on the slide moves a box along a path. */
  hasMotion = false;
  readonly #size: SlideSize | undefined;
  /** Offset of the current box or outermost group. In the file, its size follows. */
  #offset: XmlAttributes = {};
  #isRotated = false;
  #isOutside = false;
  #isGroupOutside = false;
  #isGroupPosition = false;
  #role: string | null = null;
  #isShown = true;
  /** Lines of the slide's current box. In parts without boxes, such as diagrams, all lines. */
  lines: Line[] = [];
  #rows: string[][] | null = null;
  #cell: string[] | null = null;
  /** True if a merged cell above covers the current table cell. */
  #isBelow = false;
  #repeatedLeft = MAX_REPEATED_CHARACTERS;
  #line: Line | null = null;
  #isText = false;
  /** Text of the current run of letters, and its position relative to the line. */
  #run = '';
  #position: TextPosition | null = null;
  /** Equation on the slide that is being read. */
  readonly #equation = new XmlTreeBuilder();
  /** Groups around the slide's current box: true for a hidden group. */
  readonly #groups: boolean[] = [];
  #isGroupName = false;
  /** Depth inside `mc:Fallback` elements, which repeat content in an older format; 0 outside. */
  #skipped = 0;

  constructor(size?: SlideSize) {
    this.#size = size;
  }

  open(name: string, attributes: XmlAttributes): void {
    if (name === 'Fallback' || this.#skipped > 0) this.#skipped++;
    if (this.#skipped > 0) return;
    if (this.#equation.isOpen || name === 'oMath') return this.#equation.open(name, attributes);
    switch (name) {
      case 'sld':
        this.isHidden = attributes['show'] === '0' || attributes['show'] === 'false';
        break;
      case 'sp':
      case 'graphicFrame':
        [this.#role, this.#isShown, this.#isOutside, this.lines] = [null, true, false, []];
        break;
      case 'grpSp':
        this.#groups.push(false);
        break;
      case 'animMotion':
        this.hasMotion = true;
        break;
      case 'xfrm':
        this.#isRotated = attributes['rot'] !== undefined;
        break;
      case 'off':
        this.#offset = attributes;
        break;
      case 'ext':
        if (attributes['cx'] !== undefined) this.#checkPosition(attributes);
        break;
      case 'nvGrpSpPr':
        this.#isGroupName = true;
        break;
      case 'grpSpPr':
        this.#isGroupPosition = true;
        break;
      case 'cNvPr':
        if (!isOn(attributes['hidden'])) break;
        if (!this.#isGroupName) this.#isShown = false;
        else if (this.#groups.length > 0) this.#groups[this.#groups.length - 1] = true;
        break;
      case 'ph':
        this.#role = attributes['type'] ?? 'body';
        break;
      case 'tbl':
        this.#rows = [];
        break;
      case 'tr':
        this.#rows?.push([]);
        break;
      case 'tc':
        this.#cell = [];
        // Repeat a merged cell only in its first column; covered cells next to it stay empty.
        this.#isBelow = isOn(attributes['vMerge']) && !isOn(attributes['hMerge']);
        break;
      case 'p':
        this.#line = { text: '', level: 0, isListed: false };
        break;
      case 'pPr':
        if (this.#line) this.#line.level = Math.min(Number(attributes['lvl'] ?? 0) || 0, 8);
        break;
      case 'buChar':
      case 'buAutoNum':
        if (this.#line) this.#line.isListed = true;
        break;
      case 'br':
        if (this.#line) this.#line.text += ' ';
        break;
      case 'r':
        this.#position = null;
        break;
      case 'rPr': {
        const baseline = Number(attributes['baseline'] ?? 0);
        this.#position = baseline > 0 ? 'raised' : baseline < 0 ? 'lowered' : null;
        break;
      }
      case 't':
        this.#isText = true;
        this.#run = '';
        break;
    }
  }

  /**
   * Records whether a box or outermost group lies outside of the slide. Boxes in groups are not checked,
   * since their positions are relative to the group.
   */
  #checkPosition(extent: XmlAttributes): void {
    if (!this.#size || this.#groups.length > 1) return;
    const [x, y] = [Number(this.#offset['x'] ?? 0), Number(this.#offset['y'] ?? 0)];
    const [width, height] = [Number(extent['cx']), Number(extent['cy'])];
    const rotationMargin = this.#isRotated ? Math.max(width, height) : 0;
    const isOutside =
      x - rotationMargin >= this.#size.width ||
      y - rotationMargin >= this.#size.height ||
      x + width + rotationMargin <= 0 ||
      y + height + rotationMargin <= 0;
    if (this.#groups.length === 0) this.#isOutside = isOutside;
    else if (this.#isGroupPosition) this.#isGroupOutside = isOutside;
  }

  text(text: string): void {
    if (this.#equation.isOpen) this.#equation.text(text);
    else if (this.#isText) this.#run += text;
  }

  close(name: string): void {
    if (this.#skipped > 0) return void this.#skipped--;
    if (this.#equation.isOpen) this.#closeEquation();
    else if (name === 't') this.#closeRun();
    else if (name === 'p') this.#closeLine();
    else if (name === 'grpSp') this.#closeGroup();
    else if (name === 'nvGrpSpPr') this.#isGroupName = false;
    else if (name === 'grpSpPr') this.#isGroupPosition = false;
    else if (name === 'tc') this.#closeCell();
    else if (name === 'sp') this.#closeShape(toBlocks(this.lines, this.#role));
    else if (name === 'graphicFrame') {
      this.#closeShape([renderMarkdownTable(this.#rows ?? [])]);
      this.#rows = null;
    }
  }

  #closeRun(): void {
    this.#isText = false;
    if (!this.#line) return;
    const { text } = this.#line;
    this.#line.text += this.#position ? writePositioned(text, this.#run, this.#position) : this.#run;
  }

  /** Adds a table cell to its row. A merged cell is repeated in the rows that it covers. */
  #closeCell(): void {
    const [above, row] = this.#rows?.slice(-2) ?? [];
    const covering = this.#isBelow && row ? (above?.[row.length] ?? '') : '';
    const isRepeated = covering !== '' && covering.length <= this.#repeatedLeft;
    if (isRepeated) this.#repeatedLeft -= covering.length;
    (row ?? above)?.push(isRepeated ? covering : (this.#cell ?? []).join(' '));
    this.#cell = null;
  }

  #closeEquation(): void {
    const equation = this.#equation.close();
    if (!equation) return;
    const text = readOfficeMath(equation);
    if (this.#line) this.#line.text += text;
  }

  #closeLine(): void {
    const line = this.#line;
    this.#line = null;
    if (!line) return;
    // PowerPoint stores line breaks within titles as escape sequences of control characters.
    const text = cleanLine(line.text.replace(/_x000[bd]_|\v/gi, ' '));
    if (!text) return;
    if (this.#cell) this.#cell.push(text);
    else this.lines.push({ ...line, text });
  }

  #closeGroup(): void {
    this.#groups.pop();
    if (this.#groups.length === 0) this.#isGroupOutside = false;
  }

  #closeShape(blocks: readonly string[]): void {
    const filled = blocks.filter(Boolean);
    const isDecorative = this.#role !== null && DECORATIVE_ROLES.has(this.#role);
    if (this.#isShown && !this.#groups.includes(true) && !isDecorative && filled.length > 0) {
      const shape = { role: this.#role, blocks: filled };
      this.shapes.push(shape);
      if (this.#isOutside || this.#isGroupOutside) this.besides.add(shape);
    }
    [this.#role, this.lines] = [null, []];
  }
}

/**
 * Converts the lines of a slide's box to text blocks. Body lines and lines with bullets become lists, other
 * lines become paragraphs.
 */
function toBlocks(lines: readonly Line[], role: string | null): string[] {
  const isBody = (role === 'body' || role === 'obj') && lines.length > 1;
  const blocks: string[] = [];
  let list: string[] = [];
  const closeList = () => {
    if (list.length > 0) blocks.push(list.join('\n'));
    list = [];
  };
  for (const { text, level, isListed } of lines) {
    if (isBody || isListed || level > 0) list.push(`${'  '.repeat(level)}- ${text}`);
    else {
      closeList();
      blocks.push(text);
    }
  }
  closeList();
  return blocks;
}

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

/** Reads a chart as its title, and a table with one row per category. */
export function readChart(bytes: Buffer): string[] {
  const series: Series[] = [];
  const path: string[] = [];
  let title = '';
  let value = '';
  readXml(bytes, {
    open: (name) => {
      path.push(name);
      if (name === 'ser') series.push({ name: '', categories: [], values: [] });
      value = '';
    },
    text: (text) => {
      value += text;
    },
    close: (name) => {
      path.pop();
      const current = series.at(-1);
      if (name === 't' && path.includes('title') && !path.includes('plotArea')) title += value;
      if (name !== 'v' || !current) return;
      if (path.includes('tx')) current.name = value;
      else if (path.includes('cat') || path.includes('xVal')) current.categories.push(value);
      else if (path.includes('val') || path.includes('yVal')) current.values.push(roundValue(value));
    },
  });
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const rows = categories.map((category, index) => [
    category,
    ...series.map(({ values }) => values[index] ?? ''),
  ]);
  const table =
    rows.length > 0 ? renderMarkdownTable([['', ...series.map(({ name }) => name)], ...rows]) : '';
  return [cleanLine(title), table].filter(Boolean);
}

/** Returns a value of a chart without rounding errors; texts and short numbers unchanged. */
function roundValue(value: string): string {
  const isLong = /^-?\d*\.\d+$/.test(value) && value.length > DIGITS;
  return isLong ? String(Number(Number(value).toPrecision(DIGITS))) : value;
}

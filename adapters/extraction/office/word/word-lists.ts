import { extractionLimits } from '../../extraction-limits.ts';
import { findAttribute } from '../../read-xml.ts';
import {
  childElements,
  findChild,
  readChildValue,
  readXmlElements,
  type XmlElement,
} from '../../xml-tree.ts';
import { readSwitch } from '../office-values.ts';
import type { ListReference } from './word-styles.ts';

interface Level {
  format: string;
  start: number;
  /** Label of the items at this level of the list. `%1` stands for the number at level 1. */
  text: string;
  /** True if items of this level write the numbers of outer levels as digits. */
  isLegal: boolean;
  /** True if an item of an outer level makes the numbers of this level begin again. */
  restarts: boolean;
  /** Paragraph style whose paragraphs are items of this level. */
  style: string | undefined;
}

interface ListLevels {
  levels: ReadonlyMap<number, Level>;
  /** Depths of list levels by the paragraph style whose paragraphs are their items. */
  byStyle: ReadonlyMap<string, number>;
}

interface Definition {
  levels: Map<number, Level>;
  /** Numbering style whose levels apply instead of those of this list. */
  link: string | undefined;
}

interface List {
  id: string;
  definition: string;
  starts: Map<number, number>;
  levels: Map<number, Level>;
}

/** Index of the deepest level of a list in Word, from 0. */
const MAX_LEVEL = 8;
const MAX_LABEL_LENGTH = 100;

/** Lists of a Word document. Counts their items to return the labels that Word shows. */
export class WordLists {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, List>();
  /** Ids of list definitions, by the list style that each defines. */
  readonly #styles = new Map<string, string>();
  /** Numbers of the last list items, by definition and level. */
  readonly #counters = new Map<string, (number | undefined)[]>();
  readonly #started = new Set<string>();
  /** Levels of the document's lists, including those that they inherit from definitions, by list id. */
  readonly #levels = new Map<string, ListLevels>();

  constructor(bytes: Uint8Array | null) {
    if (!bytes) return;
    readXmlElements(
      bytes,
      (name, parent) => (name === 'abstractNum' || name === 'num') && parent === 'numbering',
      (element) => {
        if (element.name === 'num') this.#addList(element);
        else this.#addDefinition(element);
      },
      { isLenient: true },
    );
  }

  /**
   * Counts a paragraph as an item of its list. Returns the item's label; null if the paragraph is in no list.
   * @param style id of the paragraph's style
   */
  next(reference: ListReference, style: string): { level: number; label: string; isBullet: boolean } | null {
    const list = this.#lists.get(reference.listId ?? '');
    if (!list) return null;
    const { levels, byStyle } = this.#findLevels(list);
    const depth = Math.min(reference.level ?? byStyle.get(style) ?? 0, MAX_LEVEL);
    const level = levels.get(depth);
    if (!level) return null;
    const numbers = this.#countLevels(list, levels, depth);
    if (level.format === 'bullet') return { level: depth, label: '-', isBullet: true };
    const label = level.text
      .slice(0, MAX_LABEL_LENGTH)
      .replace(/%([1-9])/g, (_all, position: string) => {
        const levelIndex = Number(position) - 1;
        const shownLevel = levels.get(levelIndex);
        const format = level.isLegal ? 'decimal' : (shownLevel?.format ?? 'decimal');
        return formatListNumber(numbers[levelIndex] ?? shownLevel?.start ?? 1, format);
      })
      .trim();
    return {
      level: depth,
      label: level.format === 'none' && /%/.test(level.text) ? '' : label,
      isBullet: false,
    };
  }

  #countLevels(list: List, levels: ReadonlyMap<number, Level>, depth: number): (number | undefined)[] {
    const numbers = this.#counters.get(list.definition) ?? [];
    this.#counters.set(list.definition, numbers);
    const start = list.starts.get(depth);
    const key = `${list.id} ${depth}`;
    if (start !== undefined && !this.#started.has(key)) numbers[depth] = start;
    else numbers[depth] = numbers[depth] === undefined ? (levels.get(depth)?.start ?? 1) : numbers[depth] + 1;
    this.#started.add(key);
    for (let outer = 0; outer < depth; outer++) numbers[outer] ??= levels.get(outer)?.start ?? 1;
    for (let inner = depth + 1; inner <= MAX_LEVEL; inner++)
      if (levels.get(inner)?.restarts !== false) numbers[inner] = undefined;
    return numbers;
  }

  #findLevels(list: List): ListLevels {
    const cached = this.#levels.get(list.id);
    if (cached) return cached;
    let definition = this.#definitions.get(list.definition);
    if (definition?.link !== undefined)
      definition = this.#definitions.get(this.#styles.get(definition.link) ?? '') ?? definition;
    const levels = new Map([...(definition?.levels ?? []), ...list.levels]);
    const byStyle = new Map<string, number>();
    for (const [depth, { style }] of levels) if (style !== undefined) byStyle.set(style, depth);
    const found = { levels, byStyle };
    this.#levels.set(list.id, found);
    return found;
  }

  #addDefinition(element: XmlElement): void {
    const id = findAttribute(element.attributes, 'abstractNumId') ?? '';
    const style = readChildValue(element, 'styleLink');
    if (style !== undefined) this.#styles.set(style, id);
    this.#definitions.set(id, { levels: readLevels(element), link: readChildValue(element, 'numStyleLink') });
  }

  #addList(element: XmlElement): void {
    const list: List = {
      id: findAttribute(element.attributes, 'numId') ?? '',
      definition: readChildValue(element, 'abstractNumId') ?? '',
      starts: new Map(),
      levels: new Map(),
    };
    for (const override of childElements(element)) {
      if (override.name !== 'lvlOverride') continue;
      const start = readChildValue(override, 'startOverride');
      const depth = Number(findAttribute(override.attributes, 'ilvl') ?? 0);
      if (start !== undefined) list.starts.set(depth, Number(start) || 0);
      for (const [level, value] of readLevels(override)) list.levels.set(level, value);
    }
    if (this.#lists.size < extractionLimits.sections) this.#lists.set(list.id, list);
  }
}

function readLevels(element: XmlElement): Map<number, Level> {
  const levels = new Map<number, Level>();
  for (const child of childElements(element)) {
    if (child.name !== 'lvl') continue;
    const depth = Number(findAttribute(child.attributes, 'ilvl') ?? levels.size);
    if (!(depth >= 0 && depth <= MAX_LEVEL)) continue;
    levels.set(depth, {
      format: readChildValue(child, 'numFmt') ?? 'decimal',
      start: Number(readChildValue(child, 'start') ?? 0) || 0,
      text: readChildValue(child, 'lvlText') ?? '',
      isLegal: readSwitch(findChild(child, 'isLgl')) ?? false,
      restarts: readChildValue(child, 'lvlRestart') !== '0',
      style: readChildValue(child, 'pStyle'),
    });
  }
  return levels;
}

const romanDigits: [number, string][] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
];
/** Maximum list numbers that Word writes in letters or Roman digits. */
const MAX_LETTERS = 780;
const MAX_ROMAN = 3999;

function formatListNumber(number: number, format: string): string {
  switch (format) {
    case 'lowerLetter':
      return number >= 1 && number <= MAX_LETTERS ? toLetters(number) : String(number);
    case 'upperLetter':
      return formatListNumber(number, 'lowerLetter').toUpperCase();
    case 'lowerRoman':
      return number >= 1 && number <= MAX_ROMAN ? toRoman(number) : String(number);
    case 'upperRoman':
      return formatListNumber(number, 'lowerRoman').toUpperCase();
    case 'decimalZero':
      return String(number).padStart(2, '0');
    case 'none':
      return '';
    default:
      return String(number);
  }
}

/** Writes a list number in letters: a to z, then aa, bb and so on, as Word does. */
function toLetters(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26));
  return letter.repeat(Math.ceil(number / 26));
}

function toRoman(number: number): string {
  let remaining = number;
  let text = '';
  for (const [value, digits] of romanDigits)
    while (remaining >= value) {
      text += digits;
      remaining -= value;
    }
  return text;
}

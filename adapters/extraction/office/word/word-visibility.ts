import { findChild, readChildValue, type XmlElement } from '../../xml-tree.ts';
import { readSwitch } from '../office-values.ts';
import { isShaded, WHITE } from './shading.ts';
import type { WordStyles } from './word-styles.ts';

/** Surroundings of a run of text in a Word document, which decide whether the text is visible. */
export interface RunSurroundings {
  /** Ids of the styles of the paragraph and of the table around the text. */
  paragraph: string | undefined;
  table: string | undefined;
  /** True if a background color may lie behind the text. */
  isShaded: boolean;
}

/** Properties of a whole Word document, which decide whether its text is visible. */
export interface DocumentAppearance {
  styles: WordStyles;
  /** True if the document's pages have a color, or pictures behind their text. */
  hasBackdrop: boolean;
}

/** Maximum size of unreadable letters in half points: one point, the smallest size in Word. */
const MAX_UNREADABLE_SIZE = 2;
/** Properties that make white letters readable on white paper, such as an outline or a highlight. */
const OTHER_PAINT = [
  'highlight',
  'shadow',
  'glow',
  'textOutline',
  'outline',
  'emboss',
  'imprint',
  'textFill',
];

/**
 * Returns whether a run of text is hidden, by itself or by its styles. Two styles that both hide the run
 * cancel each other.
 */
export function isVanished(
  run: XmlElement | undefined,
  around: RunSurroundings,
  styles: WordStyles,
): boolean {
  const isVanished = readSwitch(findChild(run, 'vanish'));
  if (isVanished !== undefined) return isVanished;
  const levels = listStyles(run, around, styles);
  return styles.isHidden || levels.filter(({ isHidden }) => isHidden).length % 2 === 1;
}

/**
 * Returns whether the text of a Word document's run is unreadable: white letters on white, and letters of one
 * point.
 */
export function isUnreadable(
  run: XmlElement | undefined,
  around: RunSurroundings,
  appearance: DocumentAppearance,
): boolean {
  const levels = listStyles(run, around, appearance.styles);
  const size = Number(readChildValue(run, 'sz') ?? levels.find(({ size: own }) => own !== undefined)?.size);
  if (size <= MAX_UNREADABLE_SIZE) return true;
  const color = readChildValue(run, 'color') ?? levels.find(({ color: own }) => own !== undefined)?.color;
  if (!WHITE.test(color ?? '') || around.isShaded || isShaded(run)) return false;
  if (levels.some((style) => style.isShaded) || OTHER_PAINT.some((name) => findChild(run, name)))
    return false;
  return !appearance.hasBackdrop;
}

const listStyles = (run: XmlElement | undefined, around: RunSurroundings, styles: WordStyles) => [
  styles.get('character', readChildValue(run, 'rStyle')),
  styles.get('paragraph', around.paragraph),
  styles.get('table', around.table),
];

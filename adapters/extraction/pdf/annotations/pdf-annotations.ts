import { cleanText } from '../../clean-text.ts';
import type { PdfTextItem } from '../pdf-text-item.ts';

/** Annotation of a PDF page, as the library pdf.js returns it. Any field may be missing in a damaged file. */
export interface PdfAnnotation {
  pageIndex?: number;
  subtype?: string;
  hasAppearance?: boolean;
  annotationFlags?: number;
  rect?: number[];
  rotation?: number;
  contentsObj?: { str?: string };
  /** Lines of text that the page shows for the annotation. */
  textContent?: string[];
  defaultAppearanceData?: { fontSize?: number };
  fieldType?: string;
  fieldName?: string;
  fieldValue?: unknown;
  /** Name of the form field that viewers show to people. */
  alternativeText?: string;
  password?: boolean;
  pushButton?: boolean;
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: unknown;
  buttonValue?: unknown;
  options?: { exportValue?: unknown; displayValue?: unknown }[];
}

interface FieldText {
  text: string;
  label: string | null;
  isMark: boolean;
}

const PLAIN = { label: null, isMark: false };

/** Maximum number of annotations that are read on a page of a PDF. */
const MAX_ANNOTATIONS = 5000;
const MAX_CHARACTERS = 100_000;
/** Flags of a PDF's annotations that a viewer does not show: invisible, hidden and no view. */
const HIDDEN = 1 | 2 | 32;
const LETTER_SIZE = 10;
const LINE_HEIGHT = 1.2;
const CHECKED = '☒';
export const UNCHECKED = '☐';
/** Matches values of check boxes that mean only that the box is checked. */
const plainValues = /^(?:on|yes|true|checked|selected|ja|oui|s[iíì]|sim|tak|x|v|\d+|choice ?\d+)$/i;
/** Matches names of form fields that programs generate. */
const generatedNames =
  /[\d[\]#]|^(?:text|field|text ?field|untitled|undefined|check ?box|button|radio ?button|group|list ?box|combo ?box|drop ?down|date|signature|form)$/i;

/**
 * Returns the texts that people typed onto a PDF page, and the values of its form, as text items. Omits
 * comments, which a reader has to open, and unchecked boxes of an empty form.
 * @param drawings text of stamps, signatures and buttons, by the annotations' rectangles
 */
export function toAnnotationItems(
  annotations: readonly PdfAnnotation[],
  drawings: ReadonlyMap<string, string>,
): PdfTextItem[] {
  const visible = annotations
    .slice(0, MAX_ANNOTATIONS)
    .filter(({ annotationFlags = 0, rect }) => !(annotationFlags & HIDDEN) && rect?.length === 4);
  const readAnnotations = visible.flatMap((annotation) => {
    const drawing = drawings.get(String(annotation.rect));
    const text = readAnnotation(annotation) ?? (drawing ? { ...PLAIN, text: clean(drawing) } : null);
    return text ? [{ annotation, ...text }] : [];
  });
  const isFilled = readAnnotations.some(({ text }) => text !== UNCHECKED);
  return isFilled ? readAnnotations.flatMap((text) => toItems(text.annotation, text)) : [];
}

function readAnnotation(annotation: PdfAnnotation): FieldText | null {
  const { subtype, fieldType, contentsObj, textContent = [] } = annotation;
  if (subtype === 'FreeText' || subtype === 'Stamp') {
    const text = clean(contentsObj?.str ?? '') || clean(textContent.join('\n'));
    return text ? { ...PLAIN, text } : null;
  }
  if (subtype !== 'Widget' || annotation.password) return null;
  if (fieldType === 'Btn') return readButton(annotation);
  const text = fieldType === 'Ch' ? readChoice(annotation) : readTextField(annotation);
  return text ? { text, label: findLabel(annotation), isMark: false } : null;
}

/**
 * Reads the text that the page shows for a form field, such as a formatted amount; or the stored value if
 * only spaces differ.
 */
function readTextField({ fieldValue, textContent = [] }: PdfAnnotation): string {
  const storedText = typeof fieldValue === 'string' ? clean(fieldValue) : '';
  const shownText = clean(textContent.join('\n'));
  const isSame = shownText.replace(/\s+/g, '') === storedText.replace(/\s+/g, '');
  return isSame ? storedText : shownText || storedText;
}

function readChoice({ fieldValue, options = [] }: PdfAnnotation): string {
  const values = (Array.isArray(fieldValue) ? fieldValue : [fieldValue]).filter(
    (value) => typeof value === 'string',
  );
  const names = values.map((value) => {
    const name = options.find((option) => option.exportValue === value)?.displayValue;
    return clean(typeof name === 'string' ? name : value);
  });
  return names.filter(Boolean).join(', ');
}

function readButton(annotation: PdfAnnotation): FieldText | null {
  const { checkBox, radioButton, fieldValue, exportValue, buttonValue } = annotation;
  if (!checkBox && !radioButton) return null;
  const checkedValue = radioButton ? buttonValue : exportValue;
  const value = Array.isArray(fieldValue) ? fieldValue[0] : fieldValue;
  const isChecked =
    typeof value === 'string' &&
    value !== '' &&
    value !== 'Off' &&
    (value === checkedValue || typeof checkedValue !== 'string');
  const label = findLabel(annotation);
  if (!isChecked) return { text: UNCHECKED, label, isMark: true };
  const name = clean(value);
  return plainValues.test(name)
    ? { text: CHECKED, label: label ?? name, isMark: true }
    : { text: `${CHECKED} ${name}`, label, isMark: true };
}

/** Returns the name of a form field; null if a program generated the name. */
function findLabel({ alternativeText = '', fieldName = '' }: PdfAnnotation): string | null {
  const description = clean(alternativeText).replace(/\s+/g, ' ');
  if (description) return description;
  const name = clean(fieldName.slice(fieldName.lastIndexOf('.') + 1))
    .replace(/[_\s]+/g, ' ')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .trim();
  return /\p{L}{2}/u.test(name) && !generatedNames.test(name) ? name : null;
}

const clean = (text: string) => cleanText(text.slice(0, MAX_CHARACTERS)).trim();

/** Returns the lines of a text as items at the position of the annotation, from its upper edge. */
function toItems(annotation: PdfAnnotation, { text, label, isMark }: FieldText): PdfTextItem[] {
  const { rect = [], rotation = 0, defaultAppearanceData } = annotation;
  const lines = text.split('\n').filter((line) => line.trim());
  const radians = (rotation * Math.PI) / 180;
  const [cos, sin] = [Math.round(Math.cos(radians)), Math.round(Math.sin(radians))];
  const isSideways = rotation % 180 !== 0;
  const [width, height] = [Math.abs(rect[2]! - rect[0]!), Math.abs(rect[3]! - rect[1]!)];
  const [length, depth] = isSideways ? [height, width] : [width, height];
  const size = Math.min(defaultAppearanceData?.fontSize || LETTER_SIZE, LETTER_SIZE);
  // Position of the corner of the annotation at which its text begins.
  const left = cos > 0 || sin > 0 ? Math.min(rect[0]!, rect[2]!) : Math.max(rect[0]!, rect[2]!);
  const top = cos > 0 || sin < 0 ? Math.max(rect[1]!, rect[3]!) : Math.min(rect[1]!, rect[3]!);
  const margin = lines.length === 1 ? Math.max(0, depth - size) / 2 : 0;
  return lines.map((line, row) => {
    const down = margin + size * (0.9 + row * LINE_HEIGHT);
    return {
      str: line,
      transform: [cos * size, sin * size, -sin * size, cos * size, left + sin * down, top - cos * down],
      width: Math.min(length, line.length * size * 0.5),
      height: size,
      hasEOL: false,
      annotation: { isMark, label: row === 0 ? label : null, isFirstLine: row === 0, isSeparate: false },
    };
  });
}

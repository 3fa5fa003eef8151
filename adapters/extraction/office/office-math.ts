import { readSwitch } from './office-values.ts';
import {
  accent,
  applyFunction,
  arrange,
  divide,
  join,
  lower,
  toSubscript,
  operate,
  plainLetters,
  raise,
  toSuperscript,
  takeRoot,
} from './equation-parts.ts';
import { findAttribute } from '../read-xml.ts';
import { childElements, findChild, readOwnText, type XmlElement } from '../xml-tree.ts';

/** Elements within a Word equation whose content is not part of it: deleted text and properties. */
const OMITTED = new Set(['del', 'moveFrom', 'delText', 'instrText']);

/** Converts an equation of Word or PowerPoint (Office Math Markup Language) to text, such as `A=πr²`. */
export function readOfficeMath(element: XmlElement): string {
  return plainLetters(convert(element)).replace(/\s+/g, ' ').trim();
}

function convert(element: XmlElement): string {
  const { name } = element;
  if (OMITTED.has(name) || name.endsWith('Pr')) return '';
  if (name === 't') return readOwnText(element);
  if (name === 'br' || name === 'tab') return ' ';
  return (Object.hasOwn(converters, name) ? converters[name]! : convertChildren)(element);
}

const convertChildren = (element: XmlElement): string => join([...childElements(element)].map(convert));

/** Returns the text of an equation element's child such as `num`; empty if no such child exists. */
function readPart(element: XmlElement, name: string): string {
  const child = findChild(element, name);
  return child ? convertChildren(child).trim() : '';
}

/** Returns the texts of all children of an equation element with a name. */
const readParts = (element: XmlElement, name: string): string[] =>
  [...childElements(element)]
    .filter((child) => child.name === name)
    .map((child) => convertChildren(child).trim());

/**
 * Returns a character from the properties of an equation's element, such as a bracket. The character may be
 * empty.
 */
function readProperty(element: XmlElement, name: string, fallback: string): string {
  const child = findChild(findChild(element, `${element.name}Pr`), name);
  return child ? (findAttribute(child.attributes, 'val') ?? '') : fallback;
}

const converters: Record<string, (element: XmlElement) => string> = {
  oMathPara: (element) => readParts(element, 'oMath').join('\n'),
  r: (element) => (isHiddenRun(element) ? '' : convertChildren(element)),
  sSup: (element) => raise(readPart(element, 'e'), readPart(element, 'sup')),
  sSub: (element) => lower(readPart(element, 'e'), readPart(element, 'sub')),
  sSubSup: (element) =>
    raise(lower(readPart(element, 'e'), readPart(element, 'sub')), readPart(element, 'sup')),
  sPre: (element) =>
    toSuperscript(readPart(element, 'sup')) + toSubscript(readPart(element, 'sub')) + readPart(element, 'e'),
  f: (element) => {
    const [numerator, denominator] = [readPart(element, 'num'), readPart(element, 'den')];
    const isStack = readProperty(element, 'type', 'bar') === 'noBar';
    return isStack ? `${numerator}¦${denominator}` : divide(numerator, denominator);
  },
  rad: (element) =>
    takeRoot(readPart(element, 'e'), isEnabled(element, 'degHide') ? '' : readPart(element, 'deg')),
  nary: (element) => {
    const limit = (name: string) => (isEnabled(element, `${name}Hide`) ? '' : readPart(element, name));
    return operate(readProperty(element, 'chr', '∫'), limit('sub'), limit('sup'), readPart(element, 'e'));
  },
  func: (element) => applyFunction(readPart(element, 'fName'), readPart(element, 'e')),
  limLow: (element) => operate(readPart(element, 'e'), readPart(element, 'lim'), '', ''),
  limUpp: (element) => operate(readPart(element, 'e'), '', readPart(element, 'lim'), ''),
  d: (element) =>
    readProperty(element, 'begChr', '(') +
    readParts(element, 'e').join(readProperty(element, 'sepChr', '|')) +
    readProperty(element, 'endChr', ')'),
  m: (element) =>
    arrange(
      [...childElements(element)].filter(({ name }) => name === 'mr').map((row) => readParts(row, 'e')),
    ),
  // Remove the ampersands in the rows of an array, which only mark where the rows align.
  eqArr: (element) =>
    readParts(element, 'e')
      .map((row) => row.replace(/&/g, ''))
      .join('; '),
  acc: (element) => accent(readPart(element, 'e'), readProperty(element, 'chr', '\u0302')),
  bar: (element) =>
    accent(readPart(element, 'e'), readProperty(element, 'pos', 'bot') === 'top' ? '\u0304' : '\u0332'),
  phant: (element) =>
    readSwitch(findChild(findChild(element, 'phantPr'), 'show')) === false ? '' : readPart(element, 'e'),
};

const isEnabled = (element: XmlElement, name: string) =>
  readSwitch(findChild(findChild(element, `${element.name}Pr`), name)) === true;

/**
 * Returns whether the author has hidden a run of text in an equation. Word's properties of the run follow the
 * properties of the equation.
 */
const isHiddenRun = (element: XmlElement) =>
  [...childElements(element)].some((child) => child.name === 'rPr' && readSwitch(findChild(child, 'vanish')));

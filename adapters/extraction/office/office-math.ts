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

/** Elements whose content is not part of the equation: deleted text and properties. */
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

/** Returns the text of a child such as `num`; empty if no such child exists. */
function part(element: XmlElement, name: string): string {
  const child = findChild(element, name);
  return child ? convertChildren(child).trim() : '';
}

/** Returns the texts of all children of a name. */
const parts = (element: XmlElement, name: string): string[] =>
  [...childElements(element)]
    .filter((child) => child.name === name)
    .map((child) => convertChildren(child).trim());

/** Returns a character from the properties of an equation. The character may be empty. */
function property(element: XmlElement, name: string, usual: string): string {
  const child = findChild(findChild(element, `${element.name}Pr`), name);
  return child ? (findAttribute(child.attributes, 'val') ?? '') : usual;
}

const converters: Record<string, (element: XmlElement) => string> = {
  oMathPara: (element) => parts(element, 'oMath').join('\n'),
  r: (element) => (isHiddenRun(element) ? '' : convertChildren(element)),
  sSup: (element) => raise(part(element, 'e'), part(element, 'sup')),
  sSub: (element) => lower(part(element, 'e'), part(element, 'sub')),
  sSubSup: (element) => raise(lower(part(element, 'e'), part(element, 'sub')), part(element, 'sup')),
  sPre: (element) =>
    toSuperscript(part(element, 'sup')) + toSubscript(part(element, 'sub')) + part(element, 'e'),
  f: (element) => {
    const [numerator, denominator] = [part(element, 'num'), part(element, 'den')];
    const isStack = property(element, 'type', 'bar') === 'noBar';
    return isStack ? `${numerator}¦${denominator}` : divide(numerator, denominator);
  },
  rad: (element) =>
    takeRoot(part(element, 'e'), isSwitchedOn(element, 'degHide') ? '' : part(element, 'deg')),
  nary: (element) => {
    const limit = (name: string) => (isSwitchedOn(element, `${name}Hide`) ? '' : part(element, name));
    return operate(property(element, 'chr', '∫'), limit('sub'), limit('sup'), part(element, 'e'));
  },
  func: (element) => applyFunction(part(element, 'fName'), part(element, 'e')),
  limLow: (element) => operate(part(element, 'e'), part(element, 'lim'), '', ''),
  limUpp: (element) => operate(part(element, 'e'), '', part(element, 'lim'), ''),
  d: (element) =>
    property(element, 'begChr', '(') +
    parts(element, 'e').join(property(element, 'sepChr', '|')) +
    property(element, 'endChr', ')'),
  m: (element) =>
    arrange([...childElements(element)].filter(({ name }) => name === 'mr').map((row) => parts(row, 'e'))),
  // An ampersand in the rows of an array marks where they align.
  eqArr: (element) =>
    parts(element, 'e')
      .map((row) => row.replace(/&/g, ''))
      .join('; '),
  acc: (element) => accent(part(element, 'e'), property(element, 'chr', '\u0302')),
  bar: (element) =>
    accent(part(element, 'e'), property(element, 'pos', 'bot') === 'top' ? '\u0304' : '\u0332'),
  phant: (element) =>
    readSwitch(findChild(findChild(element, 'phantPr'), 'show')) === false ? '' : part(element, 'e'),
};

const isSwitchedOn = (element: XmlElement, name: string) =>
  readSwitch(findChild(findChild(element, `${element.name}Pr`), name)) === true;

/**
 * Returns whether the author has hidden a run. Word's properties of the run follow the properties of the
 * equation.
 */
const isHiddenRun = (element: XmlElement) =>
  [...childElements(element)].some((child) => child.name === 'rPr' && readSwitch(findChild(child, 'vanish')));

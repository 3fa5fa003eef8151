import { findAttribute } from '../read-xml.ts';
import { childElements, readOwnText, type XmlElement } from '../xml-tree.ts';
import {
  accent,
  arrange,
  divide,
  join,
  lower,
  operate,
  plainLetters,
  raise,
  takeRoot,
} from './equation-parts.ts';

/** Matches operators in an equation that are not drawn, such as function application. */
const INVISIBLE = /[\u2061-\u2064]/g;
/** Accents above a letter in an equation, and the combining marks with the same meaning. */
const ACCENTS = new Map(
  [...'^ˆ¯‾˜~→⃗˙¨'].map((mark, index) => [
    mark,
    '\u0302\u0302\u0304\u0304\u0303\u0303\u20d7\u20d7\u0307\u0308'[index]!,
  ]),
);

/** Converts an equation in MathML to text, such as `A=πr²`. */
export function readMathMl(element: XmlElement): string {
  return plainLetters(convert(element)).replace(/\s+/g, ' ').trim();
}

function convert(element: XmlElement): string {
  const parts = [...childElements(element)];
  /** Returns the text of the equation element's child at a position. */
  const at = (index: number) => (parts[index] ? convert(parts[index]).trim() : '');
  const convertParts = () => join(parts.map(convert));
  switch (element.name) {
    case 'mi':
    case 'mn':
    case 'mo':
    case 'mtext':
    case 'ms':
      return readOwnText(element).trim().replace(INVISIBLE, '');
    case 'mspace':
      return ' ';
    case 'semantics':
      return at(0);
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return '';
    case 'msup':
      return raise(at(0), at(1));
    case 'msub':
      return lower(at(0), at(1));
    case 'msubsup': {
      const base = at(0);
      return isOperator(base) ? operate(base, at(1), at(2), '') : raise(lower(base, at(1)), at(2));
    }
    case 'munder':
      return operate(at(0), at(1), '', '');
    case 'mover': {
      const over = at(1);
      const mark = ACCENTS.get(over);
      return mark ? accent(at(0), mark) : operate(at(0), '', over, '');
    }
    case 'munderover':
      return operate(at(0), at(1), at(2), '');
    case 'mfrac':
      return findAttribute(element.attributes, 'linethickness') === '0'
        ? `${at(0)}¦${at(1)}`
        : divide(at(0), at(1));
    case 'msqrt':
      return takeRoot(convertParts().trim(), '');
    case 'mroot':
      return takeRoot(at(0), at(1));
    case 'mfenced': {
      const { open = '(', close = ')', separators = ',' } = element.attributes;
      return `${open}${parts.map((part) => convert(part).trim()).join(`${separators.trim().slice(0, 1)} `)}${close}`;
    }
    case 'mtable':
      return arrange(parts.map((row) => [...childElements(row)].map((cell) => convert(cell).trim())));
    default:
      return convertParts();
  }
}

const isOperator = (text: string) => /^[∑∏∐∫∬∭∮⋃⋂]$/u.test(text);

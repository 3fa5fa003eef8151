import { findAttribute } from '../../read-xml.ts';
import { readFieldEquation } from './field-equation.ts';
import { readSwitch } from '../office-values.ts';
import { readSymbol } from './word-symbols.ts';
import { childElements, findChild, readChildValue, type XmlElement } from '../../xml-tree.ts';

/** A field in the text of a Word document: its instruction, then its result, which Word shows. */
interface Field {
  instruction: string;
  isResult: boolean;
  /** Position in the paragraph at which the field's result starts. */
  start: number;
  /** Data of the field if it is part of a form. */
  form: XmlElement | undefined;
}

const MAX_INSTRUCTION_LENGTH = 10_000;
/**
 * Maximum number of fields in a Word document whose results continue in the next paragraph, such as a table
 * of contents with links.
 */
const MAX_OPEN_FIELDS = 20;

/** The fields that are open at a position of a Word document. Fields may overlap paragraphs. */
export class WordFields {
  #openFields: Field[] = [];
  /** Number of open fields whose result has not begun. */
  #instructions = 0;

  /**
   * True if the text belongs to a field's instruction, and is not shown. Results of fields within an
   * instruction are only used in calculations.
   */
  get isInstruction(): boolean {
    return this.#instructions > (this.#openFields.at(-1)?.isResult === false ? 1 : 0);
  }

  /**
   * Reads the mark of the begin, the separator or the end of a field.
   * @param position position of the mark in the paragraph
   * @returns start, link target and computed text of a field that ends here; null for other marks
   */
  mark(
    element: XmlElement,
    type: string,
    position: number,
  ): { start: number; target: string; text: string } | null {
    const field = this.#openFields.at(-1);
    if (type === 'begin') {
      this.#instructions++;
      this.#openFields.push({
        instruction: '',
        isResult: false,
        start: position,
        form: findChild(element, 'ffData'),
      });
    } else if (type === 'separate' && field && !field.isResult) {
      this.#instructions--;
      field.isResult = true;
      field.start = position;
    } else if (type === 'end' && field) {
      this.#openFields.pop();
      if (!field.isResult) this.#instructions--;
      return {
        start: field.start,
        target: field.isResult ? parseLinkTarget(field.instruction) : '',
        text: position > field.start ? '' : computeResult(field),
      };
    }
    return null;
  }

  addInstruction(text: string): void {
    const field = this.#openFields.at(-1);
    if (field && field.instruction.length < MAX_INSTRUCTION_LENGTH) field.instruction += text;
  }

  /**
   * Ends the instructions of Word fields that a paragraph leaves open, since damaged fields would hide all
   * following text.
   * @returns links whose results continue in the next paragraph
   */
  endParagraph(): { start: number; target: string }[] {
    this.#openFields = this.#openFields.filter(({ isResult }) => isResult).slice(-MAX_OPEN_FIELDS);
    this.#instructions = 0;
    const links = this.#openFields.map(({ start, instruction }) => ({
      start,
      target: parseLinkTarget(instruction),
    }));
    for (const field of this.#openFields) field.start = 0;
    return links.filter(({ target }) => target !== '');
  }
}

/** Returns the URL of a Word field HYPERLINK; empty for other fields and for links within the document. */
export function parseLinkTarget(instruction: string): string {
  const [, quoted, plain] = /^\s*HYPERLINK\s+(?:"([^"]*)"|([^\s\\"]+))/i.exec(instruction) ?? [];
  const anchor = /\s\\l\s+"([^"]*)"/i.exec(instruction)?.[1];
  const target = quoted ?? plain ?? '';
  return target && anchor ? `${target}#${anchor}` : target;
}

/**
 * Returns the text that Word shows for fields without a stored result: form fields, symbols, buttons,
 * equations.
 */
function computeResult({ instruction, form }: Field): string {
  const [, name = '', rest = ''] = /^\s*(\w+)\s*([^]*)$/.exec(instruction) ?? [];
  switch (name.toUpperCase()) {
    case 'FORMCHECKBOX': {
      const box = findChild(form, 'checkBox');
      const isChecked = readSwitch(findChild(box, 'checked')) ?? readSwitch(findChild(box, 'default'));
      return isChecked ? '☒' : '☐';
    }
    case 'FORMDROPDOWN': {
      const list = findChild(form, 'ddList');
      const chosenIndex = Number(readChildValue(list, 'result') ?? readChildValue(list, 'default') ?? 0);
      const entries = [...childElements(list)].filter((child) => child.name === 'listEntry');
      return findAttribute(entries[chosenIndex]?.attributes ?? {}, 'val') ?? '';
    }
    case 'SYMBOL': {
      const font = /\\f\s+(?:"([^"]*)"|(\S+))/i.exec(rest);
      const code = /^(0x[0-9a-f]+|\d+)/i.exec(rest)?.[1];
      return code ? readSymbol(font?.[1] ?? font?.[2] ?? '', Number(code)) : '';
    }
    case 'MACROBUTTON':
    case 'GOTOBUTTON':
      return rest.replace(/^\S+\s*/, '').trim();
    case 'EQ':
      return readFieldEquation(rest);
    default:
      return '';
  }
}

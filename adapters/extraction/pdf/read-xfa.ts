import { cleanLine } from '../clean-text.ts';
import type { Section } from '../extracted-document.ts';
import { SectionBuilder } from '../section-builder.ts';
import { openWithFullLibrary } from './full-pdf-library.ts';

/** Element of a page that pdf.js lays out for a PDF with an XFA form. */
interface XfaElement {
  name: string;
  value?: string | null;
  attributes?: {
    class?: unknown;
    style?: Record<string, unknown>;
    role?: string;
    'aria-level'?: string;
    type?: string;
    value?: string;
    textContent?: string;
    checked?: boolean;
    selected?: boolean;
  };
  children?: (XfaElement | null)[];
}

const CHECKED = '☒';
const UNCHECKED = '☐';

/**
 * Reads an XFA form, whose pages only exist as instructions for a viewer: its headings, texts, labels and values.
 * Returns null for a PDF whose pages are drawn as usual.
 */
export async function readXfa(bytes: Uint8Array): Promise<Section[] | null> {
  const pdf = await openWithFullLibrary(bytes, { maxPixels: 0 });
  try {
    if (!pdf.isPureXfa) return null;
    const sections = new SectionBuilder();
    for (let number = 1; number <= pdf.numPages; number++) {
      const page = await pdf.getPage(number);
      const root = (await page.getXfa()) as XfaElement | null;
      // Read header and footer only on the first page, since further pages repeat them around the content.
      if (root) addBlocks(root, { sections, page: number, isContent: number === 1 });
      page.cleanup();
    }
    return sections.end();
  } finally {
    await pdf.destroy();
  }
}

interface Output {
  sections: SectionBuilder;
  page: number;
  isContent: boolean;
}

function addBlocks(element: XfaElement, output: Output): void {
  if (isHidden(element)) return;
  const isContent = output.isContent || hasClass(element, 'xfaContentarea');
  if (hasClass(element, 'xfaDraw') || hasClass(element, 'xfaField')) {
    if (isContent) addBlock(element, output);
    return;
  }
  for (const child of element.children ?? []) if (child) addBlocks(child, { ...output, isContent });
}

function addBlock(element: XfaElement, { sections, page }: Output): void {
  const label = cleanLine(readElementText(element));
  const value = readValue(element);
  const level = Number(element.attributes?.['aria-level']);
  if (element.attributes?.role === 'heading' && level >= 1) sections.addHeading(level, label, page);
  else if (value === CHECKED || value === UNCHECKED) sections.addBlock(`${value} ${label}`);
  else if (value) sections.addBlock(label ? `${label.replace(/\s*:$/, '')}: ${value}` : value);
  else sections.addBlock(label);
}

/** Returns the text of a label or drawing in an XFA form, without values. */
function readElementText(element: XfaElement): string {
  if (isHidden(element) || ['button', 'select', 'textarea', 'svg'].includes(element.name)) return '';
  const texts = (element.children ?? []).map((child) => (child ? readElementText(child) : ''));
  return (element.value ?? '') + texts.join('') + (['p', 'br', 'div'].includes(element.name) ? ' ' : '');
}

/** Returns the value of a field in an XFA form; null if the field is empty. */
function readValue(element: XfaElement): string | null {
  const { attributes = {}, children = [] } = element;
  if (element.name === 'input' && (attributes.type === 'checkbox' || attributes.type === 'radio'))
    return attributes.checked ? CHECKED : UNCHECKED;
  if (element.name === 'input') return attributes.type === 'password' ? null : attributes.value || null;
  if (element.name === 'textarea') return attributes.textContent || element.value || null;
  if (element.name === 'select') {
    const selected = children.filter((option) => option?.attributes?.selected);
    return (
      selected
        .map((option) => cleanLine(option?.value ?? ''))
        .filter(Boolean)
        .join(', ') || null
    );
  }
  for (const child of children) {
    const value = child && readValue(child);
    if (value) return value;
  }
  return null;
}

const isHidden = ({ attributes }: XfaElement) =>
  attributes?.style?.display === 'none' || attributes?.style?.visibility === 'hidden';

function hasClass({ attributes }: XfaElement, name: string): boolean {
  return Array.isArray(attributes?.class) && attributes.class.includes(name);
}

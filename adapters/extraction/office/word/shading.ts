import { findAttribute } from '../../read-xml.ts';
import { childElements, findChild, type XmlElement } from '../../xml-tree.ts';

/** Matches the color white in a Word document, and colors that are hard to distinguish from white. */
export const WHITE = /^(?:f[\da-f]){3}$/i;

/** Returns whether properties in a Word document color the background of a run, paragraph, cell or table. */
export function isShaded(properties: XmlElement | undefined): boolean {
  const { attributes } = findChild(properties, 'shd') ?? {};
  if (!attributes) return false;
  const fill = findAttribute(attributes, 'fill') ?? 'auto';
  const pattern = findAttribute(attributes, 'val') ?? 'clear';
  return (fill !== 'auto' && !WHITE.test(fill)) || !/^(?:clear|nil)$/.test(pattern);
}

/**
 * Returns whether a style of a Word document colors the background of any of its parts, such as the first row
 * of a table.
 */
export function hasShading(style: XmlElement): boolean {
  if (isShaded(style)) return true;
  for (const child of childElements(style)) if (hasShading(child)) return true;
  return false;
}

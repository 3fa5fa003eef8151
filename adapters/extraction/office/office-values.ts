import { findAttribute } from '../read-xml.ts';
import type { XmlElement } from '../xml-tree.ts';

/** Returns whether an attribute of an Office document is set to true. */
export const isOn = (value: string | undefined) => value === '1' || value === 'true' || value === 'on';

/**
 * Returns the state of an element that is a switch, such as `<w:vanish/>`, which is on without a value;
 * undefined if absent.
 */
export function readSwitch(element: XmlElement | undefined): boolean | undefined {
  return element && isOn(findAttribute(element.attributes, 'val') ?? '1');
}

import { findNearestNames } from '../../core/text/nearest-names.ts';
import { ATTRIBUTES, SETTINGS } from '../option-check.ts';
import { listUnknownKeys } from './theme-faults.ts';

/**
 * Lists the options of the page that the widget ignores, each with what to write instead. Attributes that
 * resemble no option belong to other programs.
 * @param settings `window.ParleySettings`
 * @param attributes `data-` attributes of the script, by their names in `dataset`
 */
export function listPageFaults(settings: object, attributes: object): string[] {
  const faults = Object.keys(attributes)
    .filter((key) => !ATTRIBUTES.includes(key))
    .flatMap((key) => {
      const near = findOption(key);
      return near === undefined
        ? []
        : [
            `${toAttribute(key)} is not a known attribute and is ignored. Did you mean ${describeOption(near)}?`,
          ];
    });
  return [...listUnknownKeys('ParleySettings', settings, SETTINGS), ...faults];
}

function findOption(key: string): string | undefined {
  const options = [...new Set([...ATTRIBUTES, ...SETTINGS])];
  const [near] = findNearestNames(key, options);
  return near ?? options.find((name) => key.length > 3 && name.startsWith(key));
}

function describeOption(name: string): string {
  return ATTRIBUTES.includes(name) ? toAttribute(name) : `ParleySettings.${name}`;
}

function toAttribute(name: string): string {
  return `data-${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

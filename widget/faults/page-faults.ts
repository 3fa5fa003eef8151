import { findNearestNames } from '../../core/text/nearest-names.ts';
import { ATTRIBUTES, isSetLate, SETTINGS } from '../option-check.ts';
import type { PageOptions } from './contract.ts';
import { listUnknownKeys } from './theme-faults.ts';

/**
 * Lists the options of the page that the widget ignores, each with what to write instead. Attributes that
 * resemble no option belong to other programs.
 * @param current `window.ParleySettings` now
 */
export function listPageFaults(
  { settings, attributes }: PageOptions,
  current: Record<string, unknown>,
): string[] {
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
  return [
    ...listUnknownKeys('ParleySettings', current, SETTINGS),
    ...SETTINGS.filter((key) => isSetLate(key, settings, current)).map(describeLateOption),
    ...faults,
  ];
}

function describeLateOption(key: string): string {
  const alternative = key === 'identityToken' ? ', or call Parley.identify(token)' : '';
  return `ParleySettings.${key} was set after the widget’s script had read it, and is ignored. Set window.ParleySettings before the script runs${alternative}.`;
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

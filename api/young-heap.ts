import { setFlagsFromString } from 'node:v8';

/**
 * Factor by which V8 grows its heap for new objects at a time. V8's default of 2 would need a slow collection
 * at each size under load.
 */
const GROWTH_FACTOR = 16;

/**
 * Lets V8 grow its heap for new objects to the limit at the first load. Called after the start, so that an
 * idle process does not use the additional memory.
 */
export function letYoungHeapGrow(): void {
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
}

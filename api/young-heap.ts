import { setFlagsFromString } from 'node:v8';

/** Growth per collection. The default of doubling would cause a collection at each size under load. */
const GROWTH_FACTOR = 16;

/**
 * Grows the young heap to its limit at the first load. An idle process does without those 128 MB, so this is
 * called after the start.
 */
export function letYoungHeapGrow(): void {
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
}

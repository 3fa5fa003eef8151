import { setFlagsFromString } from 'node:v8';

/** By default it is doubled, and a crowd would wait for a collection at each size. */
const GROWTH_FACTOR = 16;

/**
 * Lets the young heap grow to its limit with the first crowd. A process that has just started and that nobody uses does
 * without those 128 MB, so this is called once it has started.
 */
export function letYoungHeapGrow(): void {
  setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
}

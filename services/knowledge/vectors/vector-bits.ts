import type { Vector } from '../../../adapters/embedding/embedder.ts';

/** Of each number, whether it is positive: vectors that point the same way have most of these in common. */
export function bitsOf(vector: Vector): string {
  let bits = '';
  for (const value of vector) bits += value > 0 ? '1' : '0';
  return bits;
}

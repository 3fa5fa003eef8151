import type { Vector } from '../../../adapters/embedding/embedder.ts';

/** Returns the signs of the vector's components as bits. Vectors with similar directions have most bits in common. */
export function toSignBits(vector: Vector): string {
  let bits = '';
  for (const value of vector) bits += value > 0 ? '1' : '0';
  return bits;
}

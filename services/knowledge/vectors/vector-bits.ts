import type { Vector } from '../../../adapters/embedding/embedder.ts';

/**
 * Returns the signs of an embedding vector's components as bits. Vectors with similar directions have most
 * bits in common.
 * @param center vector to subtract, for models whose components have nearly always the same sign
 */
export function toSignBits(vector: Vector, center?: Vector): string {
  let bits = '';
  for (const [index, value] of vector.entries()) bits += value > (center?.[index] ?? 0) ? '1' : '0';
  return bits;
}

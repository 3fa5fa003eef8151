import { countCharacters } from '../../browser/count-characters.ts';

const MOST_CHARACTERS = 20_000;

/** By how much a message is longer than the API takes, for people; null when it is not. */
export function excessOf(message: string): string | null {
  const excess = countCharacters(message) - MOST_CHARACTERS;
  return excess > 0 ? `${excess} characters too many` : null;
}

import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { countText } from '../ui/count-text.ts';

/** Describes by how much a message exceeds the API's limit; null if it does not. */
export function excessOf(message: string): string | null {
  const excess = countCharacters(message) - MAX_MESSAGE_LENGTH;
  return excess > 0 ? `${countText(excess, 'character')} too many` : null;
}

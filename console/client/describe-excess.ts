import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { formatCount } from '../ui/format-count.ts';

/** Describes by how much a message exceeds the API's limit; null if it does not. */
export function describeExcess(message: string): string | null {
  const excess = countCharacters(message) - MAX_MESSAGE_LENGTH;
  return excess > 0 ? `${formatCount(excess, 'character')} too many` : null;
}

import { countCharacters } from '../../browser/count-characters.ts';
import { MAX_MESSAGE_LENGTH } from '../../browser/message-length.ts';
import { formatCount } from '../components/text/format-count.ts';

/**
 * Says by how many characters a message to a visitor exceeds the limit of the API; null for a message within
 * the limit.
 */
export function describeExcess(message: string): string | null {
  const excess = countCharacters(message) - MAX_MESSAGE_LENGTH;
  return excess > 0 ? `${formatCount(excess, 'character')} too many` : null;
}

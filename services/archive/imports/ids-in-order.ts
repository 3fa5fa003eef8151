import { groupedBy } from '../../../core/grouped.ts';
import type { MessageRecord } from '../archive-records.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

/**
 * New ids of a conversation's messages, by the archive's. Those of one millisecond are in the order of their ids, so that each gets the one
 * by which it keeps its place.
 * @param idOf a new id that belongs to one of the archive
 */
export function idsInOrder(
  messages: readonly Pick<MessageRecord, 'id' | 'created_at'>[],
  idOf: (archivedId: string) => string,
): Map<string, string> {
  const moments = groupedBy(messages, ({ created_at: at }) => String(Date.parse(at)));
  return new Map(
    moments.flatMap(([, said]) => {
      const archived = said.map(({ id }) => id).toSorted(byText);
      const given = archived.map(idOf).toSorted(byText);
      return archived.map((id, index): [string, string] => [id, given[index]!]);
    }),
  );
}

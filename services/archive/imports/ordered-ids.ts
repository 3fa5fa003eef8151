import { groupItems } from '../../../core/group-items.ts';
import type { MessageRecord } from '../archive-records.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : 1);

/**
 * Assigns new ids to the messages of an imported conversation. Sorting by time and id gives the same order as
 * before: messages with the same timestamp get ids in the order of their archived ids.
 * @param toNewId returns a new id for an archived id
 */
export function assignOrderedIds(
  messages: readonly Pick<MessageRecord, 'id' | 'created_at'>[],
  toNewId: (archivedId: string) => string,
): Map<string, string> {
  const moments = groupItems(messages, ({ created_at: at }) => String(Date.parse(at)));
  return new Map(
    moments.flatMap(([, simultaneous]) => {
      const archived = simultaneous.map(({ id }) => id).toSorted(byText);
      const newIds = archived.map(toNewId).toSorted(byText);
      return archived.map((id, index): [string, string] => [id, newIds[index]!]);
    }),
  );
}

import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import {
  ContentTableRepository,
  type TableCursor,
} from '../../repositories/encryption/content-table.repository.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';

/** What a step through a place has come to. */
export interface PlaceStep {
  /** How many of its rows or files held anything that was kept in another way. */
  converted: number;
  /** Where the next step begins; null after the last. */
  next: string | null;
}

/** Where content is kept. */
export interface PlaceOfContent {
  /** Never changes: cursors name it. */
  readonly name: string;
  /**
   * Has a part of the workspace's content there kept as the target says; doing it twice does no harm.
   * @param from null for the beginning
   * @throws AppError `key_unavailable`
   */
  convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<PlaceStep>;
}

/** Rows of a table. */
function table(name: string, rows: ContentTableRepository): PlaceOfContent {
  return {
    name,
    async convert(scope, from, target) {
      const after = from === null ? null : (JSON.parse(from) as TableCursor);
      const { ids, end } = await rows.findEnd(scope, after);
      if (end === null) return { converted: 0, next: null };
      return { converted: await rows.convert(scope, ids, target), next: JSON.stringify(end) };
    },
  };
}

/** All places of content, in the order in which they are walked. */
export const placesOfContent: readonly PlaceOfContent[] = [
  table(
    'conversations',
    new ContentTableRepository(Conversation, [
      // One that is being made is sealed once it is finished.
      { entity: Message, parent: 'conversationId', where: "row.state = 'complete'" },
    ]),
  ),
];

import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { Message, type MessageRole } from '../../entities/conversations/message.entity.ts';
import { PREVIEW_CHARACTERS, SELECT_PREVIEWS } from './conversation-preview.sql.ts';
import type { PreviewMessage } from './conversation-preview.sql.ts';

/** Truncated texts that the list of conversations shows for a conversation. */
export interface ConversationPreview {
  /** The visitor's first message; null if the visitor has not written yet. */
  firstQuestion: string | null;
  lastVisitorMessage: string | null;
  lastMessage: string | null;
  lastMessageRole: Exclude<MessageRole, 'system'> | null;
}

const EMPTY_PREVIEW: ConversationPreview = {
  firstQuestion: null,
  lastVisitorMessage: null,
  lastMessage: null,
  lastMessageRole: null,
};

export class ConversationPreviewRepository {
  /** Returns a preview of each conversation, in the order of `conversationIds`. */
  async list({ db, orgId }: OrgScope, conversationIds: readonly string[]): Promise<ConversationPreview[]> {
    if (conversationIds.length === 0) return [];
    const rows = await db.run(SELECT_PREVIEWS, [conversationIds, orgId]);
    const storedMessages = rows
      .flatMap(({ first, lastOfVisitor, last }) => [first, lastOfVisitor, last])
      .filter((message) => message !== null);
    const messages = new Map(
      (await decryptRows(db, Message, storedMessages)).map((message) => [message.id, message]),
    );
    const openPreviewed = (message: PreviewMessage | null) => (message ? messages.get(message.id)! : null);
    const byId = new Map(
      rows.map(({ id, first, lastOfVisitor, last }) => [
        id,
        toPreview(openPreviewed(first), openPreviewed(lastOfVisitor), openPreviewed(last)),
      ]),
    );
    return conversationIds.map((id) => byId.get(id) ?? EMPTY_PREVIEW);
  }
}

function toPreview(
  first: Opened<PreviewMessage> | null,
  lastOfVisitor: Opened<PreviewMessage> | null,
  last: Opened<PreviewMessage> | null,
): ConversationPreview {
  return {
    firstQuestion: first && truncateContent(first),
    lastVisitorMessage: lastOfVisitor && truncateContent(lastOfVisitor),
    lastMessage: last && truncateContent(last),
    lastMessageRole: last && (last.role as ConversationPreview['lastMessageRole']),
  };
}

/** Truncates a message to a number of Unicode code points, as PostgreSQL's `left()` does. */
function truncateContent({ content }: Opened<PreviewMessage>): string {
  return Array.from(content.slice(0, 2 * PREVIEW_CHARACTERS))
    .slice(0, PREVIEW_CHARACTERS)
    .join('');
}

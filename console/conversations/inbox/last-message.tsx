import { toPlainText } from '../../../browser/plain-markdown.ts';
import type { InboxItem } from '../../client/types.ts';

const speakers = { user: '', assistant: 'Bot: ', agent: 'Team: ' };

/** Number of characters after which the API truncates the preview of a message. */
const PREVIEW_LENGTH = 200;

/**
 * Shows the start of a conversation's last message with its author. Visitors' messages are not rendered as
 * Markdown.
 */
export function LastMessage({ item }: { item: Pick<InboxItem, 'last_message' | 'last_message_role'> }) {
  const { last_message: text, last_message_role: role } = item;
  if (text === null || role === null) return <>No messages yet</>;
  return (
    <>
      {speakers[role]}
      <bdi>{role === 'user' ? text : toPlainText(text, text.length >= PREVIEW_LENGTH)}</bdi>
    </>
  );
}

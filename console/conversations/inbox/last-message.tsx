import { toPlainText } from '../../../browser/plain-markdown.ts';
import type { InboxItem } from '../../client/types.ts';

const speakers = { user: '', assistant: 'Bot: ', agent: 'Team: ' };

/** Maximum length of the API's preview. */
const PREVIEW_LENGTH = 200;

/** Preview of the last message with its author. Visitors' text is shown verbatim. */
export function LastMessage({ item }: { item: Pick<InboxItem, 'last_message' | 'last_message_role'> }) {
  const { last_message: text, last_message_role: role } = item;
  if (text === null || role === null) return <>Nothing has been said yet.</>;
  return (
    <>
      {speakers[role]}
      <bdi>{role === 'user' ? text : toPlainText(text, text.length >= PREVIEW_LENGTH)}</bdi>
    </>
  );
}

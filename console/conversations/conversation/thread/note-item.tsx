import { Menu } from '@mantine/core';
import { useState } from 'react';
import type { ConversationNote } from '../../../client/types.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { LinkedText } from '../../../components/text/linked-text.tsx';
import { PersonAvatar } from '../../../components/person-avatar.tsx';
import { RowMenu } from '../../../components/dialogs/row-menu.tsx';
import { useSession } from '../../../session/session.tsx';
import { usePermission } from '../../../session/use-permission.ts';
import { IconTrash } from '../../../shell/icons.ts';
import { useStore } from '../../../state/use-store.ts';
import { BubbleTime } from './message-group.tsx';
import { useNoteSteps } from '../use-notes.ts';

export interface NoteItemProps {
  note: ConversationNote;
  conversationId: string;
}

/** Shows a note about a conversation that only the team sees. */
export function NoteItem({ note, conversationId }: NoteItemProps) {
  const { memberId } = useStore(useSession().feed.state);
  const may = usePermission();
  const { deleteNote } = useNoteSteps(conversationId);
  const [isAsking, setAsking] = useState(false);
  const name = note.author?.full_name ?? 'Former member';
  const isOwn = note.author !== null && note.author.id === memberId;
  const mayDelete = may('conversations:write', isOwn ? 'member' : 'admin');
  return (
    <div className="message-group" data-role="note">
      <PersonAvatar name={name} size={28} />
      <p className="message-head">
        <strong dir="auto">{name}</strong> · Note
      </p>
      <article className="bubble" data-role="note">
        <LinkedText text={note.text} />
        {mayDelete && (
          <RowMenu about={`note by ${name}`}>
            <Menu.Item leftSection={<IconTrash />} className="danger-item" onClick={() => setAsking(true)}>
              Delete note
            </Menu.Item>
          </RowMenu>
        )}
        <BubbleTime at={note.created_at} />
      </article>
      {isAsking && (
        <ConfirmDialog
          question="Delete this note?"
          consequence="Your team will no longer be able to read it."
          action="Delete note"
          onConfirm={() => deleteNote(note.id)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

import { Button } from '@mantine/core';
import { useState } from 'react';
import { UpcomingBookings } from '../../bookings/upcoming-bookings.tsx';
import { path } from '../../client/paths.ts';
import type { ContactRead, ConversationDetail } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { goTo, buildHref } from '../../router.ts';
import { useSession } from '../../session/session.tsx';
import { usePermission } from '../../session/use-permission.ts';
import { ConfirmButton } from '../../components/confirm-button.tsx';
import { Facts } from '../../components/facts.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { showConfirmation } from '../../components/notices.ts';
import { TimeText } from '../../components/time-text.tsx';
import { ContactForm, getContactFormKey } from './contact-form.tsx';
import { ConversationFacts } from './conversation-facts.tsx';
import { OtherConversations } from './other-conversations.tsx';

export interface ContactPanelProps {
  detail: ConversationDetail;
  onChange(): void;
}

/** Shows the visitor's contact, and lets the user edit it. */
export function ContactPanel({ detail, onChange }: ContactPanelProps) {
  const { contact_id: contactId } = detail;
  return (
    <>
      <section className="panel-part">
        <h3>Contact</h3>
        {contactId === null ? (
          <p className="hint">The visitor has left no details yet.</p>
        ) : (
          <KnownContact key={contactId} id={contactId} onChange={onChange} />
        )}
      </section>
      <UpcomingBookings botId={detail.bot_id} conversationId={detail.id} contactId={contactId} />
      <ConversationFacts detail={detail} />
      {contactId !== null && (
        <OtherConversations key={contactId} contactId={contactId} currentId={detail.id} />
      )}
    </>
  );
}

function KnownContact({ id, onChange }: { id: string; onChange(): void }) {
  const { client, forms } = useSession();
  const contact = useLoad(
    (signal) => client.get<ContactRead>(path`/api/contacts/${id}`, signal),
    [client, id],
  );
  const [isEditing, setEditing] = useState(getContactFormKey(id) in forms.value);
  return (
    <LoadedView loaded={contact}>
      {(known) =>
        isEditing ? (
          <ContactForm
            contact={known}
            onCancel={() => setEditing(false)}
            onSaved={(saved) => {
              contact.set(saved);
              setEditing(false);
              onChange();
            }}
          />
        ) : (
          <ContactDetails contact={known} onEdit={() => setEditing(true)} />
        )
      }
    </LoadedView>
  );
}

interface ContactDetailsProps {
  contact: ContactRead;
  onEdit(): void;
}

function ContactDetails({ contact, onEdit }: ContactDetailsProps) {
  const { client } = useSession();
  const may = usePermission();
  const erase = async (): Promise<void> => {
    await client.post(path`/api/contacts/${contact.id}/erase`);
    goTo(buildHref(['conversations']));
    showConfirmation('The contact and all conversations are gone; copies of them are being removed.');
  };
  return (
    <>
      <Facts
        facts={[
          ['Name', contact.name],
          ['E-mail', contact.email],
          ['Phone', contact.phone],
          ['Country', contact.country],
          ['Lead', contact.is_lead ? 'yes' : 'no'],
          ['Tags', contact.tags.join(', ') || null],
          ...Object.entries(contact.custom_fields).map(([name, value]) => [name, String(value)] as const),
          ['First seen', <TimeText key="first" at={contact.first_seen_at} />],
          ['Last seen', <TimeText key="last" at={contact.last_seen_at} />],
          ['Sessions', String(contact.conversation_count)],
          ['Messages', String(contact.message_count)],
        ]}
      />
      <div className="row">
        {may('contacts:write', 'member') && (
          <Button variant="default" onClick={onEdit}>
            Edit
          </Button>
        )}
        {may('contacts:write', 'admin') && (
          <ConfirmButton
            question="Erase this person?"
            consequence="The contact, all conversations with their messages, and copies in webhook payloads and files are permanently deleted."
            onConfirm={erase}
          >
            Erase
          </ConfirmButton>
        )}
      </div>
    </>
  );
}

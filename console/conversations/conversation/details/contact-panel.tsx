import { Accordion, ActionIcon, Anchor, CloseButton, Tooltip } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useState } from 'react';
import { UpcomingBookings } from '../../../bookings/upcoming-bookings.tsx';
import type { Contact, ConversationDetail } from '../../../client/types.ts';
import { PersonAvatar } from '../../../components/person-avatar.tsx';
import { LoadedView } from '../../../components/lists/loaded-view.tsx';
import { ContactFacts } from '../../../contacts/contact-facts.tsx';
import { ContactForm, getContactFormKey } from '../../../contacts/contact-form.tsx';
import { getContactUrl } from '../../../contacts/contact-url.ts';
import { buildHref } from '../../../router.ts';
import { useSession } from '../../../session/session.tsx';
import { usePermission } from '../../../session/use-permission.ts';
import { IconEdit } from '../../../shell/icons.ts';
import { useApi } from '../../../state/use-api.ts';
import { getConversationName, getKnownName } from '../../inbox/conversation-name.ts';
import { ConversationFacts } from './conversation-facts.tsx';
import { OtherConversations } from './other-conversations.tsx';

export interface ContactPanelProps {
  detail: ConversationDetail;
  onChange(): void;
  onClose(): void;
}

const SECTIONS = ['contact', 'conversation', 'bookings', 'others'];

/** Shows facts about the visitor and the conversation, in collapsible sections. */
export function ContactPanel({ detail, onChange, onClose }: ContactPanelProps) {
  const { contact_id: contactId } = detail;
  const { forms } = useSession();
  const mayEdit = usePermission()('contacts:write', 'member');
  const [open, setOpen] = useLocalStorage({
    key: 'parley.panel',
    defaultValue: SECTIONS,
    getInitialValueInEffect: false,
  });
  const [isEditing, setEditing] = useState(contactId !== null && getContactFormKey(contactId) in forms.value);
  const name = getConversationName(detail);
  return (
    <>
      <header className="contact-card">
        <CloseButton className="panel-close" aria-label="Close details" onClick={onClose} />
        <PersonAvatar name={getKnownName(detail)} size={56} />
        <h3 dir="auto">
          {contactId === null ? (
            name
          ) : (
            <a className="cell-link" href={buildHref(['contacts', contactId])}>
              {name}
            </a>
          )}
        </h3>
        {detail.contact_email !== null && (
          <Anchor className="contact-line" href={`mailto:${detail.contact_email}`}>
            {detail.contact_email}
          </Anchor>
        )}
      </header>
      <Accordion multiple value={open} onChange={setOpen} order={3} className="panel-sections">
        <Accordion.Item value="contact">
          <Accordion.Control>Contact</Accordion.Control>
          <Accordion.Panel>
            {contactId === null ? (
              <p className="hint">No contact details yet</p>
            ) : (
              <KnownContact
                key={contactId}
                id={contactId}
                isEditing={isEditing}
                onEdit={mayEdit ? () => setEditing(true) : null}
                onEnd={() => setEditing(false)}
                onSaved={onChange}
              />
            )}
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="conversation">
          <Accordion.Control>Conversation details</Accordion.Control>
          <Accordion.Panel>
            <ConversationFacts detail={detail} />
          </Accordion.Panel>
        </Accordion.Item>
        <UpcomingBookings botId={detail.bot_id} conversationId={detail.id} contactId={contactId}>
          {(bookings) => (
            <Accordion.Item value="bookings">
              <Accordion.Control>Bookings</Accordion.Control>
              <Accordion.Panel>{bookings}</Accordion.Panel>
            </Accordion.Item>
          )}
        </UpcomingBookings>
        {contactId !== null && (
          <Accordion.Item value="others">
            <Accordion.Control>Previous conversations</Accordion.Control>
            <Accordion.Panel>
              <OtherConversations key={contactId} contactId={contactId} currentId={detail.id} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </>
  );
}

interface KnownContactProps {
  id: string;
  isEditing: boolean;
  /** Opens the form for the contact; null if the user may not change contacts. */
  onEdit: (() => void) | null;
  onEnd(): void;
  onSaved(): void;
}

function KnownContact({ id, isEditing, onEdit, onEnd, onSaved }: KnownContactProps) {
  const contact = useApi<Contact>(getContactUrl(id));
  return (
    <LoadedView loaded={contact}>
      {(data) =>
        isEditing ? (
          <ContactForm
            contact={data}
            onCancel={onEnd}
            onSaved={() => {
              onEnd();
              onSaved();
            }}
          />
        ) : (
          <div className="editable-facts">
            <ContactFacts contact={data} isShort />
            {onEdit !== null && (
              <Tooltip label="Edit contact">
                <ActionIcon variant="subtle" color="gray" aria-label="Edit contact" onClick={onEdit}>
                  <IconEdit size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </div>
        )
      }
    </LoadedView>
  );
}

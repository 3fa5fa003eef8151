import { ActionIcon, Anchor, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { UpcomingBookings } from '../bookings/upcoming-bookings.tsx';
import { withQuery } from '../client/paths.ts';
import type { Contact, Conversation, Page as Listing } from '../client/types.ts';
import { ConfirmDialog } from '../components/dialogs/confirm-dialog.tsx';
import { formatCount } from '../components/text/format-count.ts';
import { LoadedView } from '../components/lists/loaded-view.tsx';
import { showConfirmation } from '../components/page/notices.ts';
import { PageTitle } from '../components/page/page.tsx';
import { PageSkeleton } from '../components/page/page-skeleton.tsx';
import { PersonAvatar } from '../components/person-avatar.tsx';
import { ProblemMessage } from '../components/page/problem-message.tsx';
import { RelativeTime } from '../components/text/relative-time.tsx';
import { RowMenu } from '../components/dialogs/row-menu.tsx';
import { Section } from '../components/page/section.tsx';
import { ConversationStatus } from '../conversations/conversation-status.tsx';
import { Stars } from '../conversations/conversation/details/conversation-facts.tsx';
import { buildHref, goTo } from '../router.ts';
import { useSession } from '../session/session.tsx';
import { usePermission } from '../session/use-permission.ts';
import { IconBack, IconEdit, IconTrash } from '../shell/icons.ts';
import { useApi } from '../state/use-api.ts';
import { ContactFacts } from './contact-facts.tsx';
import { ContactForm, getContactFormKey } from './contact-form.tsx';
import { getContactName } from './contact-name.ts';
import { getContactUrl } from './contact-url.ts';

export function ContactPage({ id }: { id: string }) {
  const contact = useApi<Contact>(getContactUrl(id));
  if (contact.data !== undefined) return <LoadedContact contact={contact.data} />;
  if (contact.problem === null) return <PageSkeleton />;
  return (
    <div className="page">
      <header className="page-header">
        <PageTitle>Contact</PageTitle>
      </header>
      <ProblemMessage problem={contact.problem} onRetry={contact.reload} />
    </div>
  );
}

function LoadedContact({ contact }: { contact: Contact }) {
  const { client, forms } = useSession();
  const may = usePermission();
  const [isEditing, setEditing] = useState(getContactFormKey(contact.id) in forms.value);
  const [isAsking, setAsking] = useState(false);
  const name = getContactName(contact);
  const erase = async (): Promise<void> => {
    await client.post(`${getContactUrl(contact.id)}/erase`);
    goTo(buildHref(['contacts']));
    showConfirmation('Contact deleted. Remaining copies are being removed.');
  };
  return (
    <div className="page">
      <header className="page-header contact-head">
        <ActionIcon
          component="a"
          href={buildHref(['contacts'])}
          variant="subtle"
          color="gray"
          aria-label="Back to contacts"
        >
          <IconBack />
        </ActionIcon>
        <PersonAvatar name={contact.name ?? contact.email} size={40} />
        <PageTitle>{name}</PageTitle>
        {contact.is_lead && <span className="tag">Lead</span>}
        <div className="page-tools">
          {may('contacts:write', 'member') && !isEditing && (
            <Button variant="default" leftSection={<IconEdit />} onClick={() => setEditing(true)}>
              Edit contact
            </Button>
          )}
          {may('contacts:write', 'admin') && (
            <RowMenu about={name}>
              <Menu.Item className="danger-item" leftSection={<IconTrash />} onClick={() => setAsking(true)}>
                Delete contact
              </Menu.Item>
            </RowMenu>
          )}
        </div>
      </header>
      <div className="contact-columns">
        <div className="contact-side">
          <Section title="Profile">
            {isEditing ? (
              <ContactForm
                contact={contact}
                onCancel={() => setEditing(false)}
                onSaved={() => setEditing(false)}
              />
            ) : (
              <Profile contact={contact} />
            )}
          </Section>
          <UpcomingBookings botId={contact.bot_id} contactId={contact.id}>
            {(bookings) => <Section title="Bookings">{bookings}</Section>}
          </UpcomingBookings>
        </div>
        <Timeline contactId={contact.id} />
      </div>
      {isAsking && (
        <ConfirmDialog
          question="Delete this contact and all their data?"
          consequence="This permanently deletes the contact and all of their conversations and messages. Copies of the data in webhook payloads and files are deleted too."
          action="Delete contact"
          onConfirm={erase}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

const PAGE_SIZE = 100;

function useConversations(contactId: string) {
  return useApi<Listing<Conversation>>(
    withQuery('/api/conversations', { contact_id: contactId, page_size: PAGE_SIZE }),
  );
}

const consents: Record<Conversation['consent'], string> = {
  granted: 'Granted: contact details may be stored',
  denied: 'Denied: contact details are not stored',
  withdrawn: 'Withdrawn: contact details are not stored',
  unknown: 'Not asked',
};

function Profile({ contact }: { contact: Contact }) {
  const { data } = useConversations(contact.id);
  const latest = data?.items[0];
  return (
    <>
      <ContactFacts contact={contact} />
      {latest !== undefined && (
        <dl className="fact-list">
          <div>
            <dt>Consent</dt>
            <dd>{consents[latest.consent]}</dd>
          </div>
        </dl>
      )}
    </>
  );
}

/** Lists the contact's conversations, newest first. */
function Timeline({ contactId }: { contactId: string }) {
  const conversations = useConversations(contactId);
  return (
    <Section title="Conversations">
      <LoadedView loaded={conversations}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="hint">No conversations</p>
          ) : (
            <>
              <ol className="timeline">
                {items.map((conversation) => (
                  <TimelineEntry key={conversation.id} conversation={conversation} />
                ))}
              </ol>
              {total > items.length && (
                <Anchor href={buildHref(['conversations'], { contact_id: contactId })}>
                  View all {total} conversations
                </Anchor>
              )}
            </>
          )
        }
      </LoadedView>
    </Section>
  );
}

function TimelineEntry({ conversation }: { conversation: Conversation }) {
  const { id, title, first_question: question, rating, summary } = conversation;
  return (
    <li>
      <a className="cell-link" dir="auto" href={buildHref(['conversations', id])}>
        {title ?? question ?? 'No messages'}
      </a>
      <p className="cell-note">
        <ConversationStatus {...conversation} />
        <span>{formatCount(conversation.message_count, 'message')}</span>
        {rating !== null && <Stars rating={rating} />}
        <RelativeTime at={conversation.started_at} />
      </p>
      {summary !== null && <p dir="auto">{summary}</p>}
    </li>
  );
}

import { AlertMessage, contentKinds } from '../../entities/alerts/alert-message.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { FlowSession } from '../../entities/flows/flow-session.entity.ts';
import { ToolInvocation } from '../../entities/mcp/tool-invocation.entity.ts';
import { MailRow } from '../../entities/mail/mail.entity.ts';
import { OutboxRow } from '../../entities/outbox/outbox.entity.ts';
import { IdempotencyKey } from '../../entities/requests/idempotency-key.entity.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import { BotGeneration } from '../../entities/bots/bot-generation.entity.ts';
import { Booking } from '../../entities/bookings/booking.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import {
  ContentTableRepository,
  type TableCursor,
} from '../../repositories/encryption/content-table.repository.ts';
import { holdsContentIf } from '../../database/content.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { contentMails } from '../mail/rendering/mail-templates.ts';
import { contentEvents } from '../webhooks/event-catalogue.ts';

// Of the other kinds, rows are readable in any workspace.
holdsContentIf(OutboxRow, ({ kind, name }) => kind === 'event' && contentEvents.has(name));
holdsContentIf(WebhookDelivery, ({ event }) => contentEvents.has(event));
holdsContentIf(MailRow, ({ template }) => contentMails.some((each) => each === template));
holdsContentIf(AlertMessage, ({ kind }) => contentKinds.some((each) => each === kind));
// Which operation has responded is not stored. The master key seals responses, too.
holdsContentIf(IdempotencyKey, () => false);

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

type ContentEntity = ConstructorParameters<typeof ContentTableRepository>[0];

function rowsWhere(entity: ContentEntity, where: string): ContentTableRepository {
  return new ContentTableRepository(entity, [], true, where);
}

/** @param names of ours, without quotes */
function anyOf(names: readonly string[]): string {
  return `IN (${names.map((name) => `'${name}'`).join(', ')})`;
}

/** All places of content in the database, in the order in which they are walked. */
export const placesOfContent: readonly PlaceOfContent[] = [
  table(
    'conversations',
    new ContentTableRepository(Conversation, [
      // One that is being made is sealed once it is finished.
      { entity: Message, parent: 'conversationId', where: "row.state = 'complete'" },
      { entity: FlowSession, parent: 'conversationId' },
    ]),
  ),
  // What is on its way goes from one to the next.
  table('events', rowsWhere(OutboxRow, `row.kind = 'event' AND row.name ${anyOf([...contentEvents])}`)),
  table('deliveries', new ContentTableRepository(WebhookDelivery)),
  table('mails', rowsWhere(MailRow, `row.template ${anyOf(contentMails)}`)),
  table('alerts', rowsWhere(AlertMessage, `row.kind ${anyOf(contentKinds)}`)),
  table('responses', new ContentTableRepository(IdempotencyKey)),
  table('tools', new ContentTableRepository(ToolInvocation)),
  table('contacts', new ContentTableRepository(Contact)),
  table('bookings', new ContentTableRepository(Booking)),
  table('drafts', new ContentTableRepository(BotGeneration)),
  table('passages', new ContentTableRepository(Document, [{ entity: Chunk, parent: 'documentId' }], false)),
];

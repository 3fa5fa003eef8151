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
import { declareContentCondition } from '../../database/content.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { contentMails } from '../mail/rendering/mail-templates.ts';
import { contentEvents } from '../webhooks/event-catalogue.ts';

// Rows of other kinds hold no content and stay readable in every workspace.
declareContentCondition(OutboxRow, ({ kind, name }) => kind === 'event' && contentEvents.has(name));
declareContentCondition(WebhookDelivery, ({ event }) => contentEvents.has(event));
declareContentCondition(MailRow, ({ template }) => contentMails.some((each) => each === template));
declareContentCondition(AlertMessage, ({ kind }) => contentKinds.some((each) => each === kind));
// The row does not name the operation whose response it stores. The master key seals responses as well.
declareContentCondition(IdempotencyKey, () => false);

/** Result of one step through a target. */
export interface ResealStep {
  /** Number of converted rows or files. */
  converted: number;
  /** Cursor of the next step; null after the last. */
  next: string | null;
}

/** A table or a set of files that a reseal converts. */
export interface ResealTarget {
  /** Stored in cursors; must never change. */
  readonly name: string;
  /**
   * Converts a part of the workspace's content. Idempotent.
   * @param from cursor; null for the beginning
   * @throws AppError `key_unavailable`
   */
  convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<ResealStep>;
}

/** Creates the target of a table and its child tables. */
function createTableTarget(name: string, rows: ContentTableRepository): ResealTarget {
  return {
    name,
    async convert(scope, from, target) {
      const after = from === null ? null : (JSON.parse(from) as TableCursor);
      const { ids, end } = await rows.findBatch(scope, after);
      if (end === null) return { converted: 0, next: null };
      return { converted: await rows.convert(scope, ids, target), next: JSON.stringify(end) };
    },
  };
}

type ContentEntity = ConstructorParameters<typeof ContentTableRepository>[0];

function createFilteredRows(entity: ContentEntity, where: string): ContentTableRepository {
  return new ContentTableRepository(entity, [], true, where);
}

/** @param names trusted constants; they are not escaped */
function toSqlIn(names: readonly string[]): string {
  return `IN (${names.map((name) => `'${name}'`).join(', ')})`;
}

/** Targets in the database, in the order of the walk. */
export const databaseResealTargets: readonly ResealTarget[] = [
  createTableTarget(
    'conversations',
    new ContentTableRepository(Conversation, [
      // An unfinished message is sealed when it is finished.
      { entity: Message, parent: 'conversationId', where: "row.state = 'complete'" },
      { entity: FlowSession, parent: 'conversationId' },
    ]),
  ),
  // Content in transit moves from events to deliveries, mails and alerts; the walk follows this order so as not to
  // miss any.
  createTableTarget(
    'events',
    createFilteredRows(OutboxRow, `row.kind = 'event' AND row.name ${toSqlIn([...contentEvents])}`),
  ),
  createTableTarget('deliveries', new ContentTableRepository(WebhookDelivery)),
  createTableTarget('mails', createFilteredRows(MailRow, `row.template ${toSqlIn(contentMails)}`)),
  createTableTarget('alerts', createFilteredRows(AlertMessage, `row.kind ${toSqlIn(contentKinds)}`)),
  createTableTarget('responses', new ContentTableRepository(IdempotencyKey)),
  createTableTarget('tools', new ContentTableRepository(ToolInvocation)),
  createTableTarget('contacts', new ContentTableRepository(Contact)),
  createTableTarget('bookings', new ContentTableRepository(Booking)),
  createTableTarget('drafts', new ContentTableRepository(BotGeneration)),
  createTableTarget(
    'passages',
    new ContentTableRepository(Document, [{ entity: Chunk, parent: 'documentId' }], false),
  ),
];

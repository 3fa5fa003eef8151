import { AlertMessage, contentKinds } from '../../entities/alerts/alert-message.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { AnswerRating } from '../../entities/conversations/answer-rating.entity.ts';
import { ConversationFile } from '../../entities/conversations/conversation-file.entity.ts';
import { ConversationNote } from '../../entities/conversations/conversation-note.entity.ts';
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
import { TestResult } from '../../entities/test-sets/test-result.entity.ts';
import { TestRun } from '../../entities/test-sets/test-run.entity.ts';
import { TestSet } from '../../entities/test-sets/test-set.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import {
  ContentTableRepository,
  type TableCursor,
} from '../../repositories/encryption/content-table.repository.ts';
import { declareContentCondition } from '../../database/content.ts';
import { hasContent } from '../../database/stored-values.ts';
import type { ContentTarget } from '../../database/content-conversion.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { contentMails } from '../mail/rendering/mail-templates.ts';
import { contentEvents, isWebhookEvent } from '../webhooks/event-catalog.ts';
import { isPlainPayload } from '../webhooks/plain-payloads.ts';

// Events without content may be stored in plain text, but only with the fields of their schemas. Without this
// rule, an attacker with write access to the database could insert unencrypted rows with other content, which
// Parley would deliver.
declareContentCondition(
  OutboxRow,
  ({ kind, name, payload }) => kind === 'event' && isWebhookEvent(name) && !isPlainPayload(name, payload),
);
declareContentCondition(
  WebhookDelivery,
  ({ event, payload, responseBody }) =>
    hasContent(responseBody) || (payload !== undefined && !isPlainPayload(event, payload)),
);
// Emails of these templates and alerts of these kinds contain visitors' content. All other emails and alerts
// are encrypted with the master key, which a conversion of content does not change.
declareContentCondition(MailRow, ({ template }) => contentMails.some((each) => each === template));
declareContentCondition(AlertMessage, ({ kind }) => contentKinds.some((each) => each === kind));
// Stored API responses are always encrypted with the master key, because the row does not say whether its
// response has content.
declareContentCondition(IdempotencyKey, () => false);

/** Result of one step that converts content after a change of encryption. */
export interface ResealStep {
  /** Number of converted rows or files. */
  converted: number;
  /** Position at which the next step continues; null after the last step. */
  next: string | null;
}

/** A table, or a set of files, whose content is converted after a change of encryption. */
export interface ResealTarget {
  /** Name of the table or set of files. The name is part of stored cursors, so it must never change. */
  readonly name: string;
  /**
   * Converts some of the workspace's content. Idempotent.
   * @param from position at which to continue; null to start
   * @throws AppError `key_unavailable`
   */
  convert(scope: OrgScope, from: string | null, target: ContentTarget): Promise<ResealStep>;
}

/** Creates the object that converts the content of a table, including its child tables. */
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

function createFilteredTable(entity: ContentEntity, where: string): ContentTableRepository {
  return new ContentTableRepository(entity, [], true, where);
}

/** @param names names to put into the SQL; constants from the code, which are not escaped */
function toSqlIn(names: readonly string[]): string {
  return `IN (${names.map((name) => `'${name}'`).join(', ')})`;
}

/**
 * Tables with content of workspaces, in the order in which they are converted after a change of encryption.
 */
export const databaseResealTargets: readonly ResealTarget[] = [
  createTableTarget(
    'conversations',
    new ContentTableRepository(Conversation, [
      // Unfinished messages are skipped: they are encrypted with the current key when they are finished.
      { entity: Message, parent: 'conversationId', where: "row.state = 'complete'" },
      { entity: FlowSession, parent: 'conversationId' },
      { entity: ConversationNote, parent: 'conversationId' },
      { entity: AnswerRating, parent: 'conversationId' },
      { entity: ConversationFile, parent: 'conversationId' },
    ]),
  ),
  // Content is copied from events to webhook deliveries, emails and alerts. The tables are converted in this
  // order, so that no copy is missed.
  createTableTarget(
    'events',
    createFilteredTable(OutboxRow, `row.kind = 'event' AND row.name ${toSqlIn([...contentEvents])}`),
  ),
  createTableTarget('deliveries', new ContentTableRepository(WebhookDelivery)),
  createTableTarget('mails', createFilteredTable(MailRow, `row.template ${toSqlIn(contentMails)}`)),
  createTableTarget('alerts', createFilteredTable(AlertMessage, `row.kind ${toSqlIn(contentKinds)}`)),
  createTableTarget('responses', new ContentTableRepository(IdempotencyKey)),
  createTableTarget('tools', new ContentTableRepository(ToolInvocation)),
  createTableTarget('contacts', new ContentTableRepository(Contact)),
  createTableTarget('bookings', new ContentTableRepository(Booking)),
  createTableTarget('drafts', new ContentTableRepository(BotGeneration)),
  createTableTarget('test-sets', new ContentTableRepository(TestSet)),
  createTableTarget(
    'test-runs',
    new ContentTableRepository(TestRun, [{ entity: TestResult, parent: 'runId' }]),
  ),
  createTableTarget(
    'passages',
    new ContentTableRepository(Document, [{ entity: Chunk, parent: 'documentId' }], false),
  ),
];

import type { DeletionTarget } from '../../database/delete-in-batches.ts';
import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { EventCount } from '../../entities/alerts/event-count.entity.ts';
import { AnalyticsRollup } from '../../entities/analytics/analytics-rollup.entity.ts';
import { Alert } from '../../entities/alerts/alert.entity.ts';
import { QuestionCluster } from '../../entities/analytics/question-cluster.entity.ts';
import { QuestionDay } from '../../entities/analytics/question-day.entity.ts';
import { QuestionDelta } from '../../entities/analytics/question-delta.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { BotVersion } from '../../entities/bots/bot-version.entity.ts';
import { Contact } from '../../entities/contacts/contact.entity.ts';
import { VisitorConsent } from '../../entities/contacts/visitor-consent.entity.ts';
import { Conversation } from '../../entities/conversations/conversation.entity.ts';
import { DeletedConversation } from '../../entities/conversations/deleted-conversation.entity.ts';
import { Flow } from '../../entities/flows/flow.entity.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';
import { TestRun } from '../../entities/test-sets/test-run.entity.ts';

const b = aliasTable(Bot, 'b');
const k = aliasTable(Contact, 'k');
const own = aliasTable(Contact, 'own');
const c = aliasTable(Conversation, 'c');
const v = aliasTable(VisitorConsent, 'v');

/**
 * SQL condition: the row belongs to bot $2 of workspace $1. Compares `bot_id` with the parameter, so that
 * PostgreSQL can estimate the number of rows and use an index.
 */
const BELONGS_TO_BOT = `bot_id = $2 AND EXISTS (SELECT FROM ${b.from} WHERE ${b('id')} = $2 AND ${b('orgId')} = $1)`;
const BELONGS_TO_ORG_AND_BOT = `org_id = $1 AND ${BELONGS_TO_BOT}`;

/** Tables with rows of bot $2 in workspace $1, in the order of deletion: children before parents. */
export const BOT_DELETION_TARGETS: readonly DeletionTarget[] = [
  { entity: Chunk, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: Document, batchSize: 200, where: BELONGS_TO_ORG_AND_BOT },
  { entity: Conversation, batchSize: 200, where: BELONGS_TO_ORG_AND_BOT },
  { entity: QuestionDelta, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: QuestionDay, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: QuestionCluster, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: Contact, batchSize: 1000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: VisitorConsent, batchSize: 1000, where: BELONGS_TO_BOT },
  { entity: BotVersion, batchSize: 50, where: BELONGS_TO_ORG_AND_BOT },
  { entity: Flow, batchSize: 20, where: BELONGS_TO_ORG_AND_BOT },
  // Delete few test runs at a time: each has up to 200 results, which are deleted with the run.
  { entity: TestRun, batchSize: 20, where: BELONGS_TO_ORG_AND_BOT },
  { entity: EventCount, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: AnalyticsRollup, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: Alert, batchSize: 5000, where: BELONGS_TO_ORG_AND_BOT },
  { entity: SearchTerm, batchSize: 5000, where: BELONGS_TO_BOT },
  // Delete records of deleted conversations, except records of verified contacts. An anonymous visitor known
  // only to this bot cannot request erasure later.
  {
    entity: DeletedConversation,
    batchSize: 5000,
    where: 'org_id = $1 AND bot_id = $2 AND contact_id IS NULL',
  },
];

/**
 * Moves each contact that has also talked to other bots to one of those bots. Parameters: $1 workspace, $2 bot to
 * delete.
 */
export const MOVE_SHARED_CONTACTS = defineStatement({
  name: 'move-shared-contacts',
  because: 'Each contact moves to the bot of its first other conversation: DISTINCT ON in an UPDATE.',
  text: `
    UPDATE ${k.from} SET ${k.bare('botId')} = other.bot_id FROM (
      SELECT DISTINCT ON (${c('contactId')}) ${c('contactId')}, ${c('botId')}
      FROM ${own.from} JOIN ${c.from} ON ${c('contactId')} = ${own('id')} JOIN ${b.from} ON ${b('id')} = ${c('botId')}
      WHERE ${own('orgId')} = $1 AND ${own('botId')} = $2 AND ${c('botId')} <> $2 AND ${b('deletedAt')} IS NULL
      ORDER BY ${c('contactId')}, ${c('createdAt')}
    ) other
    WHERE ${k('id')} = other.contact_id`,
});

/**
 * Moves the consent decisions of contacts that were moved to another bot to that bot. Parameters: $1 workspace,
 * $2 bot to delete.
 */
export const MOVE_CONTACT_CONSENTS = defineStatement({
  name: 'move-contact-consents',
  because: 'Each row takes its value from another table: UPDATE FROM.',
  text: `
    UPDATE ${v.from} SET ${v.bare('botId')} = ${k('botId')} FROM ${k.from}
    WHERE ${v('orgId')} = $1 AND ${v('botId')} = $2 AND ${k('id')} = ${v('contactId')} AND ${k('botId')} <> $2`,
});

import type { Static } from '@sinclair/typebox';
import type { ConversationDetail as ConversationDetailSchema } from '../../api/conversations/conversations.schemas.ts';
import type { EmbedSnippetRead, ModelDescriptor } from '../../api/bots/bots.schemas.ts';
import type { PlaygroundReply } from '../../api/bots/playground.schemas.ts';
import type { CitationRead } from '../../api/conversations/messages.schemas.ts';
import type {
  RotateSecretResponse,
  WebhookCreated as WebhookCreatedSchema,
} from '../../api/webhooks/webhooks.schemas.ts';
import type { KnowledgeSearchResponse } from '../../api/knowledge/search.schemas.ts';
import type { Page as PageOfRows } from '../../repositories/page.ts';

// What the API answers, as its own schemas say.
export type { BotRead, BotUpdate } from '../../api/bots/bots.schemas.ts';
export type { ContactRead } from '../../api/contacts/contacts.schemas.ts';
export type { BulkResponse, ConversationRead } from '../../api/conversations/conversations.schemas.ts';
export type { MessageRead } from '../../api/conversations/messages.schemas.ts';
export type { InboxItem } from '../../api/inbox/inbox.schemas.ts';
export type { Problem } from '../../api/http/problem.ts';
export type {
  DocumentDownload,
  DocumentRead,
  DocumentStatusRead,
} from '../../api/knowledge/knowledge.schemas.ts';
export type { KnowledgeSearchHit } from '../../api/knowledge/search.schemas.ts';
export type {
  EventDescriptor,
  WebhookDeliveryResponse as Delivery,
  WebhookResponse as Webhook,
  WebhookTestResponse as WebhookTest,
} from '../../api/webhooks/webhooks.schemas.ts';

export type Page<T> = PageOfRows<T>;
export type Citation = Static<typeof CitationRead>;
export type ConversationDetail = Static<typeof ConversationDetailSchema>;
export type EmbedSnippet = Static<typeof EmbedSnippetRead>;
export type KnowledgeSearch = Static<typeof KnowledgeSearchResponse>;
export type Model = Static<typeof ModelDescriptor>;
export type PlaygroundAnswer = Static<typeof PlaygroundReply>;
export type RotatedSecret = Static<typeof RotateSecretResponse>;
export type WebhookCreated = Static<typeof WebhookCreatedSchema>;

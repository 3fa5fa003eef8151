import { Column, Entity, Index } from 'typeorm';
import type { HandoffConfig } from '../../core/conversations/handoff-config.ts';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  Integer,
  Json,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Org } from '../team/org.entity.ts';

export const botStatuses = ['draft', 'active', 'paused', 'archived'] as const;
export type BotStatus = (typeof botStatuses)[number];
export const llmProviders = ['platform', 'byok', 'custom'] as const;
export type LlmProvider = (typeof llmProviders)[number];

/**
 * Configuration of a custom model endpoint, with the API's field names. The field `auth_header_value` is
 * stored encrypted in `sealedAuthHeaderValue` instead.
 */
export interface CustomEndpointConfig {
  endpoint_url: string;
  auth_header_name: string | null;
  model: string | null;
  response_path: string | null;
}

/** Entry of a bot's directory, such as a department with a link. Has the API's field names. */
export type DirectoryEntry = {
  name: string;
  category?: string;
  link?: string;
  metadata?: Record<string, unknown>;
};

/** Configuration of a bot's directory, with the API's field names. */
export type DirectoryConfig = {
  category_field?: string;
  category_label?: string;
  choice_field?: string;
  choice_label?: string;
  result_field?: string;
  enabled?: boolean;
  entries?: DirectoryEntry[];
};

/** Returns whether visitors can talk to the bot, including those with an open session. */
export function isServed({ status, isPublic }: Pick<Bot, 'status' | 'isPublic'>): boolean {
  return status === 'active' && isPublic;
}

@Entity('bots')
@Index('uq_bots_public_key', ['publicKey'], { unique: true })
@Index('ix_bots_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_bots_capped', ['id'], { where: 'monthly_message_cap > 0 AND deleted_at IS NULL' })
export class Bot {
  @Id('bots') id!: string;
  @Reference('bots', 'org_id', () => Org) orgId!: string;
  @Text('name') name!: string;
  @NullableText('description') description!: string | null;
  @Text('status', { default: 'draft' }) status!: BotStatus;
  @Text('public_key') publicKey!: string;
  @Text('llm_provider') llmProvider!: LlmProvider;
  @NullableText('model') model!: string | null;
  @NullableText('sealed_api_key') sealedApiKey!: string | null;
  @Json('custom_endpoint_config', { nullable: true }) customEndpointConfig!: CustomEndpointConfig | null;
  @NullableText('sealed_auth_header_value') sealedAuthHeaderValue!: string | null;
  @Text('system_prompt', { default: '' }) systemPrompt!: string;
  @Column({ name: 'temperature', type: 'double precision' }) temperature!: number;
  @Integer('max_tokens') maxTokens!: number;
  @Flag('thinking_enabled') thinkingEnabled!: boolean;
  @Integer('thinking_budget_tokens') thinkingBudgetTokens!: number;
  @NullableText('welcome_message') welcomeMessage!: string | null;
  @TextArray('starter_questions', { default: [] }) starterQuestions!: string[];
  @NullableText('fallback_message') fallbackMessage!: string | null;
  @Flag('strict_kb_mode') strictKbMode!: boolean;
  @Text('language', { default: 'auto' }) language!: string;
  @Json('lead_capture_config', { nullable: true }) leadCaptureConfig!: Record<string, unknown> | null;
  @Json('contact_fields_config', { default: [] }) contactFieldsConfig!: Record<string, unknown>[];
  @Json('directory_config', { nullable: true }) directoryConfig!: DirectoryConfig | null;
  @Json('widget_theme', { default: {} }) widgetTheme!: Record<string, unknown>;
  @TextArray('allowed_domains', { nullable: true }) allowedDomains!: string[] | null;
  @Flag('is_public', true) isPublic!: boolean;
  @Integer('rate_limit_per_minute') rateLimitPerMinute!: number;
  @Integer('monthly_message_cap', { nullable: true }) monthlyMessageCap!: number | null;
  @Flag('handoff_enabled') handoffEnabled!: boolean;
  @Json('handoff_config', { nullable: true }) handoffConfig!: HandoffConfig | null;
  /** Number of times that the bot's secret for identity tokens was rotated. */
  @Integer('identity_secret_version', { default: 0 }) identitySecretVersion!: number;
  /** End of the grace period in which identity tokens signed with the previous secret are accepted. */
  @Timestamp('former_identity_secret_until', { nullable: true }) formerIdentitySecretUntil!: Date | null;
  @NullableText('last_error') lastError!: string | null;
  @Counter('total_conversations') totalConversations!: number;
  @Counter('total_messages') totalMessages!: number;
  @Counter('indexed_chunk_count') indexedChunkCount!: number;
  /**
   * Number of the bot's active flows. If the number is 0, Parley need not query the flows to answer a
   * message.
   */
  @Counter('active_flow_count') activeFlowCount!: number;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
  /**
   * Time at which the bot was deleted. A deleted bot is hidden at once, and its data is deleted in the
   * background.
   */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
}

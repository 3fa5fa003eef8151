import { Entity, Index } from 'typeorm';
import {
  Counter,
  CreatedAt,
  Flag,
  Id,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
  UpdatedAt,
} from '../../database/columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Org } from '../team/org.entity.ts';

/**
 * Number of consecutive failed deliveries after which a webhook endpoint counts as failing. If that many
 * failures were transient, new deliveries wait until pending retries are done.
 */
export const FAILING_FROM = 5;

/** A customer's webhook endpoint: a URL that receives signed events. */
@Entity('webhooks')
@Index('ix_webhooks_org_created', ['orgId', 'createdAt', 'id'])
@Index('ix_webhooks_bot_id', ['botId'])
export class Webhook {
  @Id('webhooks') id!: string;
  @Reference('webhooks', 'org_id', () => Org) orgId!: string;
  /** Bot whose events are sent to the webhook endpoint; null for events of all bots. */
  @Reference('webhooks', 'bot_id', () => Bot, { nullable: true }) botId!: string | null;
  @Text('url') url!: string;
  @NullableText('description') description!: string | null;
  @TextArray('events') events!: string[];
  @Text('api_version') apiVersion!: string;
  @Text('sealed_secret') sealedSecret!: string;
  @Text('secret_hint') secretHint!: string;
  @Flag('is_active', true) isActive!: boolean;
  @Timestamp('disabled_at', { nullable: true }) disabledAt!: Date | null;
  /** Time of the webhook endpoint's first failure since its last success. */
  @Timestamp('failing_since', { nullable: true }) failingSince!: Date | null;
  @Counter('consecutive_failures') consecutiveFailures!: number;
  /** Number of transient failures among the webhook endpoint's consecutive failures. */
  @Counter('transient_failures') transientFailures!: number;
  /** Number of all attempts to deliver events to the webhook endpoint, and of failed attempts. */
  @Counter('delivery_count') deliveryCount!: number;
  @Counter('failure_count') failureCount!: number;
  @NullableText('last_error') lastError!: string | null;
  @Timestamp('last_failure_at', { nullable: true }) lastFailureAt!: Date | null;
  @Timestamp('last_success_at', { nullable: true }) lastSuccessAt!: Date | null;
  /**
   * Time at which the webhook endpoint was deleted. The endpoint is hidden at once, and deleted with its
   * deliveries in the background.
   */
  @Timestamp('deleted_at', { nullable: true }) deletedAt!: Date | null;
  @CreatedAt() createdAt!: Date;
  @UpdatedAt() updatedAt!: Date;
}

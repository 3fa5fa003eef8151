import { Column, Entity, Index } from 'typeorm';
import type { BotBlueprint, GenerationInput, SiteDigest } from '../../core/bots/generation/blueprint.ts';
import {
  CreatedAt,
  Id,
  Json,
  NullableText,
  Reference,
  Text,
  TextArray,
  Timestamp,
} from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Org } from '../team/org.entity.ts';

const generationStates = ['queued', 'reading', 'drafting', 'drafted', 'expired'] as const;
/** `expired`: the waiting process has drafted the bot by rules instead. */
export type GenerationState = (typeof generationStates)[number];

/** A bot that is being drafted. The row exists from the request until its input is useless. */
@Entity('bot_generations')
@Index('ix_bot_generations_org_id', ['orgId'])
@Index('ix_bot_generations_expires_at', ['expiresAt'])
export class BotGeneration {
  @Id('bot_generations') id!: string;
  @Reference('bot_generations', 'org_id', () => Org) orgId!: string;
  @Sealed() @Json('input') input!: Sealed<GenerationInput>;
  @Text('state', { default: 'queued' }) state!: GenerationState;
  /** Null until the website was read, or if it could not be read. */
  @Sealed() @Json('site', { nullable: true }) site!: Sealed<SiteDigest> | null;
  /** Whether the site's robots.txt disallows all of its pages. */
  @Column({ name: 'is_site_refused', type: 'boolean', default: false }) isSiteRefused!: boolean;
  /** The site's icon, converted to an avatar. */
  @Column({ name: 'icon', type: 'bytea', nullable: true }) icon!: Buffer | null;
  @Sealed() @Json('blueprint', { nullable: true }) blueprint!: Sealed<BotBlueprint> | null;
  /** The model, or `rules-1`. */
  @NullableText('generated_by') generatedBy!: string | null;
  /** Why the model failed to draft it. */
  @Sealed() @NullableText('failure') failure!: Sealed<string> | null;
  /** Further remarks for the owner about how the draft was made. */
  @Sealed() @TextArray('notes', { default: [] }) notes!: Sealed<string[]>;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
  @KeyId() keyId!: string | null;
}

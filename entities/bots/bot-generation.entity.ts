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
/** `expired`: whoever waited for it has made the draft by rules. */
export type GenerationState = (typeof generationStates)[number];

/** A bot that is being drafted, from the request until what it was drafted from is of no use any more. */
@Entity('bot_generations')
@Index('ix_bot_generations_org_id', ['orgId'])
@Index('ix_bot_generations_expires_at', ['expiresAt'])
export class BotGeneration {
  @Id('bot_generations') id!: string;
  @Reference('bot_generations', 'org_id', () => Org) orgId!: string;
  @Sealed() @Json('input') input!: Sealed<GenerationInput>;
  @Text('state', { default: 'queued' }) state!: GenerationState;
  /** Null until the website was read, or where it could not be. */
  @Sealed() @Json('site', { nullable: true }) site!: Sealed<SiteDigest> | null;
  /** Whether the site's robots.txt wants no page of it to be read. */
  @Column({ name: 'is_site_refused', type: 'boolean', default: false }) isSiteRefused!: boolean;
  /** The site's own, as an avatar is drawn. */
  @Column({ name: 'icon', type: 'bytea', nullable: true }) icon!: Buffer | null;
  @Sealed() @Json('blueprint', { nullable: true }) blueprint!: Sealed<BotBlueprint> | null;
  /** The model, or `rules-1`. */
  @NullableText('generated_by') generatedBy!: string | null;
  /** Why no model has drafted it, where one should have. */
  @Sealed() @NullableText('failure') failure!: Sealed<string> | null;
  /** What else its owner is to know of how it came about. */
  @Sealed() @TextArray('notes', { default: [] }) notes!: Sealed<string[]>;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
  @KeyId() keyId!: string | null;
}

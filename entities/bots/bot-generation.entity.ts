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
/**
 * State of the generation of a bot. `expired`: the time limit passed, so the waiting process drafted the bot
 * by rules instead of the model.
 */
export type GenerationState = (typeof generationStates)[number];

/** A draft of a bot that is being generated. The row is deleted after `expiresAt`. */
@Entity('bot_generations')
@Index('ix_bot_generations_org_id', ['orgId'])
@Index('ix_bot_generations_expires_at', ['expiresAt'])
export class BotGeneration {
  @Id('bot_generations') id!: string;
  @Reference('bot_generations', 'org_id', () => Org) orgId!: string;
  @Sealed() @Json('input') input!: Sealed<GenerationInput>;
  @Text('state', { default: 'queued' }) state!: GenerationState;
  /** Content of the website for the draft of the bot; null if it was not read yet or could not be read. */
  @Sealed() @Json('site', { nullable: true }) site!: Sealed<SiteDigest> | null;
  /** Whether the website's robots.txt disallows all pages. */
  @Column({ name: 'is_site_refused', type: 'boolean', default: false }) isSiteRefused!: boolean;
  /** Icon of the website, converted to an avatar image of the bot. */
  @Column({ name: 'icon', type: 'bytea', nullable: true }) icon!: Buffer | null;
  @Sealed() @Json('blueprint', { nullable: true }) blueprint!: Sealed<BotBlueprint> | null;
  /** Name of the model that drafted the bot, or `rules-1` if fixed rules drafted it. */
  @NullableText('generated_by') generatedBy!: string | null;
  /** Reason why the language model could not draft the bot. */
  @Sealed() @NullableText('failure') failure!: Sealed<string> | null;
  /** Remarks about the draft for the bot's owner, such as a website that could not be read. */
  @Sealed() @TextArray('notes', { default: [] }) notes!: Sealed<string[]>;
  @CreatedAt() createdAt!: Date;
  @Timestamp('expires_at') expiresAt!: Date;
  @KeyId() keyId!: string | null;
}

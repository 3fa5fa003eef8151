import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, NullableText, Reference, Text, UpdatedAt } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Conversation } from './conversation.entity.ts';
import { Message } from './message.entity.ts';

export const thumbs = ['up', 'down'] as const;
export type Thumb = (typeof thumbs)[number];

/** Reasons that a visitor can give for a thumb down for an answer. */
export const ratingReasons = ['incorrect', 'incomplete', 'off_topic', 'unclear', 'other'] as const;
export type RatingReason = (typeof ratingReasons)[number];

/** A visitor's rating of a bot's answer. */
@Entity('answer_ratings')
@Index('uq_answer_ratings_message', ['messageId'], { unique: true })
@Index('ix_answer_ratings_conversation', ['conversationId', 'createdAt', 'id'])
@Index('ix_answer_ratings_org', ['orgId', 'createdAt', 'id'])
@Index('ix_answer_ratings_bot', ['botId', 'thumb', 'createdAt', 'id'])
export class AnswerRating {
  @Id('answer_ratings') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  @Reference('answer_ratings', 'conversation_id', () => Conversation) conversationId!: string;
  /** The bot's answer that the visitor rated. */
  @Reference('answer_ratings', 'message_id', () => Message) messageId!: string;
  @Text('thumb') thumb!: Thumb;
  /**
   * Reason that the visitor gave for a thumb down; null for a thumb up, and if the visitor gave no reason.
   */
  @NullableText('reason') reason!: RatingReason | null;
  /** Visitor's comment on the rated answer; null if the visitor wrote nothing. */
  @Sealed() @NullableText('comment') comment!: Sealed<string> | null;
  /** Time at which the visitor first rated the answer. */
  @CreatedAt() createdAt!: Date;
  /** Time at which the visitor last changed the rating. */
  @UpdatedAt() updatedAt!: Date;
  @KeyId() keyId!: string | null;
}

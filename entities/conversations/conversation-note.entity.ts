import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Reference, Text } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { User } from '../accounts/user.entity.ts';
import { Conversation } from './conversation.entity.ts';

/**
 * A note of a member about a conversation. Only members read the note: no visitor, model or webhook gets it.
 */
@Entity('conversation_notes')
@Index('ix_conversation_notes_conversation', ['conversationId', 'createdAt', 'id'])
@Index('ix_conversation_notes_author_id', ['authorId'])
export class ConversationNote {
  @Id('conversation_notes') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Reference('conversation_notes', 'conversation_id', () => Conversation) conversationId!: string;
  /** Member who wrote the note; null once the account is deleted. */
  @Reference('conversation_notes', 'author_id', () => User, { nullable: true, onDelete: 'SET NULL' })
  authorId!: string | null;
  @Sealed() @Text('text') text!: Sealed<string>;
  /** User ids of the members whom the note mentions. Their accounts may have been deleted since. */
  @Column({ name: 'mentioned_ids', type: 'uuid', array: true, default: () => "'{}'" })
  mentionedIds!: string[];
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}

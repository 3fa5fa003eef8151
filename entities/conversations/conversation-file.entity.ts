import { Column, Entity, Index } from 'typeorm';
import { CreatedAt, Id, Integer, NullableText, Reference, Text } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Conversation } from './conversation.entity.ts';

/**
 * A file that a visitor or an agent sends in a conversation. Its bytes are in storage. Before the bytes are
 * stored, the row only reserves their folder, so that `purgeExpired` finds the bytes of a crashed upload.
 */
@Entity('conversation_files')
@Index('ix_conversation_files_conversation', ['conversationId', 'createdAt', 'id'])
@Index('ix_conversation_files_org', ['orgId', 'id'])
@Index('ix_conversation_files_unsent', ['createdAt', 'id'], { where: 'message_id IS NULL' })
export class ConversationFile {
  @Id('conversation_files') id!: string;
  @Column({ name: 'org_id', type: 'uuid' }) orgId!: string;
  @Column({ name: 'bot_id', type: 'uuid' }) botId!: string;
  /**
   * Conversation of the file; null until its bytes are stored. A reference would wait for transactions that
   * lock the conversation.
   */
  @Reference('conversation_files', 'conversation_id', () => Conversation, { nullable: true })
  conversationId!: string | null;
  /**
   * Message with the file. Null until `purgeExpired` finds the visitor's message with the same `clientId`.
   * An agent's file is stored together with its message.
   */
  @Column({ name: 'message_id', type: 'uuid', nullable: true }) messageId!: string | null;
  /** Id that the client gave to the visitor's message with the file; null for an agent's file. */
  @NullableText('client_id') clientId!: string | null;
  @Text('sender_role') senderRole!: 'user' | 'agent';
  /** Name of the conversation's file, with an extension that fits its content. */
  @Sealed() @Text('name') name!: Sealed<string>;
  @Text('mime_type') mimeType!: string;
  @Integer('size_bytes', { default: 0 }) sizeBytes!: number;
  /** Width of an image in pixels; null for documents. */
  @Integer('width', { nullable: true }) width!: number | null;
  @Integer('height', { nullable: true }) height!: number | null;
  /** SHA-256 of the file's stored content. */
  @NullableText('sha256') sha256!: string | null;
  /**
   * Storage key of the file's content. Until the content is stored, the folder of the file, with a slash at
   * its end.
   */
  @Text('storage_key') storageKey!: string;
  /**
   * Data key that encrypts the file's stored content; null if the content is plain. `keyId` encrypts the
   * name.
   */
  @Column({ name: 'file_key_id', type: 'uuid', nullable: true }) fileKeyId!: string | null;
  @CreatedAt() createdAt!: Date;
  @KeyId() keyId!: string | null;
}

import { Column, Entity, Index } from 'typeorm';
import { Id, Integer, Reference, Text, TextArray } from '../../database/columns.ts';
import { KeyId, Sealed } from '../../database/sealed-columns.ts';
import { Bot } from '../bots/bot.entity.ts';
import { Document } from './document.entity.ts';
import { Org } from '../team/org.entity.ts';

/** A passage of a document, the unit of search and citation. */
@Entity('chunks')
@Index('ix_chunks_document', ['documentId', 'position'])
@Index('ix_chunks_org_bot', ['orgId', 'botId'])
@Index('ix_chunks_bot_search', { synchronize: false })
export class Chunk {
  @Id('chunks') id!: string;
  @Reference('chunks', 'org_id', () => Org) orgId!: string;
  @Reference('chunks', 'bot_id', () => Bot) botId!: string;
  @Reference('chunks', 'document_id', () => Document) documentId!: string;
  @Integer('position') position!: number;
  @Sealed() @TextArray('headings', { default: [] }) headings!: Sealed<string[]>;
  @Sealed() @Text('text') text!: Sealed<string>;
  @Integer('token_count') tokenCount!: number;
  /** PostgreSQL text search configuration, such as `english`, with which the column `search` was computed. */
  @Text('search_config') searchConfig!: string;
  @Column({ name: 'search', type: 'tsvector', select: false }) search!: string;
  @KeyId() keyId!: string | null;
}

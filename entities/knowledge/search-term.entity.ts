import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Bot } from '../bots/bot.entity.ts';
import { Integer } from '../../database/columns.ts';

const key = { primaryKeyConstraintName: 'pk_search_terms' };

/**
 * How many of a bot's chunks contain a lexeme: what tells telling words from common ones. A lexeme of a title or a
 * heading is counted once more behind `#`; the empty lexeme counts the chunks themselves.
 */
@Entity('search_terms')
export class SearchTerm {
  @PrimaryColumn({ name: 'bot_id', type: 'uuid', ...key })
  @ForeignKey(() => Bot, 'id', { name: 'fk_search_terms_bot_id', onDelete: 'CASCADE' })
  botId!: string;
  @PrimaryColumn({ name: 'lexeme', type: 'text', collation: 'C', ...key }) lexeme!: string;
  @Column({ name: 'search_config', type: 'text', primary: true, ...key }) searchConfig!: string;
  @Integer('chunk_count') chunkCount!: number;
}

import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Bot } from '../bots/bot.entity.ts';
import { Integer } from '../../database/columns.ts';

const key = { primaryKeyConstraintName: 'pk_search_terms' };

/**
 * Number of a bot's chunks that contain a lexeme, by which searches weigh rare words over common words. A
 * lexeme in a title or heading counts once more with the prefix `#`. The row of the empty lexeme counts all
 * chunks.
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

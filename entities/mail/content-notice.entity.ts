import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Bot } from '../bots/bot.entity.ts';
import { Timestamp } from '../../database/columns.ts';

/** Record of the time at which the team was last emailed about failed documents of a bot. */
@Entity('content_notices')
export class ContentNotice {
  @PrimaryColumn({ name: 'bot_id', type: 'uuid', primaryKeyConstraintName: 'pk_content_notices' })
  @ForeignKey(() => Bot, 'id', { name: 'fk_content_notices_bot_id', onDelete: 'CASCADE' })
  botId!: string;
  @Timestamp('told_at', { default: () => 'now()' }) notifiedAt!: Date;
}

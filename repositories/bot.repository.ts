import { IsNull } from 'typeorm';
import { Bot } from '../entities/bot.entity.ts';
import type { Database } from '../entities/database.ts';
import { ScopedRepository } from './scoped.repository.ts';

export class BotRepository extends ScopedRepository<Bot> {
  constructor() {
    super(Bot, 'bot');
  }

  /** The bot that the widget of any workspace shows under this key: one that is active and public. */
  findPublic(db: Database, publicKey: string): Promise<Bot | null> {
    return db.repository(Bot).findOneBy({ publicKey, status: 'active', isPublic: true, deletedAt: IsNull() });
  }
}

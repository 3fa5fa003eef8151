import { newId } from '../../core/ids.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';

/** Inserts a workspace with the id of the scope, and a bot; returns the bot's id. */
export async function buildBot({ orgId, db }: OrgScope): Promise<string> {
  const id = newId();
  await db
    .repository(Org)
    .insert({ id: orgId, payerId: orgId, name: 'Bench', slug: orgId, planTier: 'enterprise' });
  await db.repository(Bot).insert({
    id,
    orgId,
    name: 'Bench',
    publicKey: `pk_${id}`,
    llmProvider: 'platform',
    temperature: 0,
    maxTokens: 1024,
    thinkingBudgetTokens: 2048,
    rateLimitPerMinute: 20,
  });
  return id;
}

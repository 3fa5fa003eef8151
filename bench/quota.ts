import { createDataSource } from '../entities/data-source.ts';
import { Database } from '../database/database.ts';
import { compareTurns } from './support/turn-comparison.ts';
import type { Figure } from './support/figure.ts';
import { startInstallation, type Installation } from './support/installation.ts';
import { startPeer } from './support/peer.ts';
import { sendMessage } from './support/visitors.ts';

const ROUNDS = 40;
const MIN_SHARE = 0.95;

/**
 * Compares conversation turns of 32 concurrent visitors with and without a plan that limits messages, round
 * by round. The model answers at once.
 */
export async function benchQuota(): Promise<Figure[]> {
  const model = await startPeer('model-process.ts');
  const installation = await startInstallation({
    PARLEY_MODEL_BASE_URL: model.line,
    PARLEY_STRIPE_SECRET_KEY: 'rk_test_bench',
    PARLEY_STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    PARLEY_PLANS: '{"business":{"messages_per_month":1000000000}}',
  });
  const { databaseUrl } = installation;
  const dataSource = await createDataSource({ databaseUrl, databasePool: 1 }, 'bench', 0).initialize();
  try {
    return await measure(installation, new Database(dataSource));
  } finally {
    await dataSource.destroy();
    await installation.stop();
    model.stop();
  }
}

function measure(installation: Installation, db: Database): Promise<Figure[]> {
  return compareTurns(installation, db, {
    bench: 'quota',
    kinds: ['business', 'enterprise'],
    rounds: ROUNDS,
    switchTo: async (tier, visitor) => {
      await db.sql('UPDATE orgs SET plan_tier = $1', [tier]);
      // Deletes the message counts of plans: once a limit has applied, Parley counts messages until the end
      // of the month.
      await db.sql('DELETE FROM plan_months');
      // Sends one unmeasured message: the first turn under a plan also counts the earlier messages.
      await sendMessage(installation.apiUrl, visitor);
    },
    rateName: 'turns a second with a plan that limits them',
    shareName: 'share of those without a limit, median of rounds',
    minShare: MIN_SHARE,
  });
}

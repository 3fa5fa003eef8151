import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Bot } from '../../entities/bot.entity.ts';
import { ScopedRepository } from '../../repositories/scoped.repository.ts';
import { startParley, type TestParley } from '../support/parley.ts';

const required = {
  name: 'Guide',
  llmProvider: 'platform',
  temperature: 0.7,
  maxTokens: 1024,
  thinkingBudgetTokens: 2048,
  rateLimitPerMinute: 30,
} as const;

const rows: Record<string, Partial<Bot>> = {
  'with nothing but what it needs': {},
  'with nulls': { description: null, leadCaptureConfig: null, allowedDomains: null },
  'with text that UTF-8 cannot say': { name: 'a\ud800b', starterQuestions: ['\udfff?'] },
  'with all planes of Unicode': { name: 'Zoë 👩‍🔬 𝒳', welcomeMessage: 'e\u0301' },
  'with numbers that have no short form': { temperature: 0.1 + 0.2, totalMessages: 2_147_483_647 },
  'with JSON in an order of its own': { widgetTheme: { zz: 1, a: { c: [1.0, 'x'], b: null } } },
  'with arrays': { starterQuestions: ['"a", {b}', ''], allowedDomains: [] },
  'with what defaults would say otherwise': { status: 'active', isPublic: false, totalMessages: 7 },
  'with an id in capital letters': { id: newId().toUpperCase() },
};

describe('a row that is inserted', () => {
  const bots = new ScopedRepository(Bot, 'bot');
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley.stop());

  for (const [what, row] of Object.entries(rows)) {
    it(`${what} is answered as it is read`, async () => {
      const { orgId } = await parley.buildOrg();
      const scope = { orgId, db: parley.database };
      const inserted = await bots.insert(scope, { id: newId(), publicKey: newId(), ...required, ...row });
      const read = await parley.database.repository(Bot).findOneByOrFail({ id: inserted.id });
      assert.deepEqual({ ...inserted }, { ...read });
      assert.equal(JSON.stringify(inserted), JSON.stringify({ ...inserted, ...read }));
    });
  }
});

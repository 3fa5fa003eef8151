import assert from 'node:assert/strict';
import { createLogger } from '../../core/logger.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { FullTextSearch } from '../../services/knowledge/search/full-text-search.ts';
import { SearchService } from '../../services/knowledge/search/search-service.ts';
import { SearchLimits } from '../../services/requests/search-limits.ts';
import { buildPassage } from '../support/knowledge.ts';
import { createOneTimeSignal } from '../support/one-time-signal.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';
import { buildSession, startSession } from '../support/widget.ts';

const PASSAGE = 'Delivery takes three working days.';
const QUESTION = 'How long does delivery take?';

/** Makes the full-text searches of one bot hang until `release`. */
function hangSearches(botId: string) {
  const { find } = FullTextSearch.prototype;
  const { happened: released, happen: release } = createOneTimeSignal();
  const hanging = {
    count: 0,
    release,
    restore: () => (FullTextSearch.prototype.find = find),
  };
  FullTextSearch.prototype.find = async function (scope, searchedBotId, query) {
    if (searchedBotId === botId) {
      hanging.count += 1;
      await released;
    }
    return find.call(this, scope, searchedBotId, query);
  };
  return hanging;
}

describe('limits of knowledge searches', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_DATABASE_POOL: '16' });
  });
  after(() => parley.stop());

  async function buildOrgWithPassage() {
    const org = await buildSession(parley, { strict_kb_mode: true, fallback_message: 'Ask the desk.' });
    await buildPassage(parley.database, { orgId: org.orgId, botId: org.bot.id }, PASSAGE);
    return { ...org, search: `/api/bots/${org.bot.id}/knowledge/search` as const };
  }

  type Org = Awaited<ReturnType<typeof buildOrgWithPassage>>;
  const ask = async ({ session }: Pick<Org, 'session'>, client = parley.client(session.visitor_token)) => {
    const { status, body } = await client.post(`/api/public/sessions/${session.session_id}/messages`, {
      content: QUESTION,
    });
    return { status, content: String(body.content) };
  };

  it('do not delay answers, searchKnowledge and lists of a workspace while all searches of another workspace hang', async () => {
    const busy = await buildOrgWithPassage();
    const other = await buildOrgWithPassage();
    const visitors = await Promise.all(Array.from({ length: 12 }, () => startSession(parley, busy)));
    const hanging = hangSearches(busy.bot.id);
    try {
      const answers = visitors.map((visitor) => ask(visitor));
      const searches = Array.from({ length: 24 }, () => busy.client.post(busy.search, { query: QUESTION }));
      // Searches of one workspace may take half of the slots, which are half of the database connections.
      await waitUntil(() => hanging.count === 4, 'the searches to hang');
      assert.match((await ask(other)).content, /three working days/);
      const { status, body } = await other.client.post(other.search, { query: QUESTION });
      assert.deepEqual([status, body.items.length], [200, 1]);
      for (const { client } of [busy, other]) assert.equal((await client.get('/api/bots')).status, 200);
      assert.equal(hanging.count, 4);
      hanging.release();
      for (const { status: answered } of await Promise.all(answers)) assert.equal(answered, 201);
      // Accept 429 as well: on a slow machine, the last searches have waited too long for a slot.
      for (const { status: late } of await Promise.all(searches))
        assert.ok(late === 200 || late === 429, String(late));
    } finally {
      hanging.release();
      hanging.restore();
    }
  });

  it('end a search after knowledgeSearchSeconds: searchKnowledge with validation_error, an answer without passages', async () => {
    const org = await buildOrgWithPassage();
    const impatient = await parley.startAnother({ knowledgeSearchSeconds: 1 });
    try {
      await parley.database.transaction(async (db) => {
        await db.sql('LOCK TABLE search_terms IN ACCESS EXCLUSIVE MODE');
        const [refused, answer] = await Promise.all([
          impatient.client(org.key).post(org.search, { query: QUESTION }),
          ask(org, impatient.client(org.session.visitor_token)),
        ]);
        assert.equal(refused.status, 422);
        const { field, message } = refused.problem.details[0]!;
        assert.deepEqual([field, message], ['query', 'takes longer than 1 s to search for; use fewer words']);
        assert.equal(answer.content, 'Ask the desk.');
      });
      assert.match((await ask(org)).content, /three working days/);
      const [timeout] = await impatient.runtime.database.sql<object>('SHOW statement_timeout');
      assert.deepEqual(timeout, { statement_timeout: '30s' });
    } finally {
      await impatient.stop();
    }
  });

  it('refuse searchKnowledge with rate_limited if the waiting list is full, and let an answer continue without passages', async () => {
    const { orgId, bot } = await buildOrgWithPassage();
    const scope = { orgId, db: parley.database };
    const service = new SearchService({
      bots: new BotRepository(),
      limits: new SearchLimits({ slots: 1, maxWaiting: 1, timeoutSeconds: 30 }),
      log: createLogger('test', 'silent'),
      fullText: new FullTextSearch(),
    });
    const query = { query: QUESTION, limit: 6 };
    const hanging = hangSearches(bot.id);
    try {
      const running = [
        service.findPassages(scope, bot.id, query),
        service.findPassages(scope, bot.id, query),
      ];
      await waitUntil(() => hanging.count === 1, 'the first search to hang');
      assert.deepEqual(await service.findPassages(scope, bot.id, query), []);
      await assert.rejects(service.search(scope, bot.id, query), {
        code: 'rate_limited',
        headers: { 'Retry-After': '2' },
      });
      hanging.release();
      assert.deepEqual(
        (await Promise.all(running)).map(([hit]) => hit?.text),
        [PASSAGE, PASSAGE],
      );
    } finally {
      hanging.release();
      hanging.restore();
    }
  });
});

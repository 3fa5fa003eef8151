import assert from 'node:assert/strict';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { itInSoak, selectCases } from '../support/it-in-soak.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { buildActiveBot } from '../support/widget.ts';
import { formatOutcome } from '../support/outcome.ts';

const empty = {
  category_field: 'branch',
  category_label: 'Location',
  choice_field: 'preferred_specialist',
  choice_label: 'Specialist',
  result_field: 'booking_link',
  enabled: false,
  entries: [],
};

const rivera = { name: 'Dr. Rivera', category: 'Uptown', link: 'https://book.example.com/rivera' };
const zoe = { name: 'Zoë Ártemis', category: 'Old  Harbour', link: 'https://book.example.com/zoe' };

describe('the directory of a bot:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  async function buildDirectory(directory: object | null = null) {
    const built = await buildActiveBot(parley, { directory_config: directory });
    return { ...built, path: `/api/bots/${built.bot.id}/directory` as const };
  }

  describe('getBotDirectory', () => {
    it('returns a disabled, empty directory with default names at first', async () => {
      const { client, path } = await buildDirectory();
      const { status, body } = await client.get(path);
      assert.deepEqual([status, body], [200, empty]);
    });

    it('returns the directory configured with the bot', async () => {
      const { client, path } = await buildDirectory({ enabled: true, entries: [rivera] });
      const { body } = await client.get(path);
      assert.deepEqual(body, { ...empty, enabled: true, entries: [rivera] });
    });
  });

  describe('replaceBotDirectory', () => {
    it('replaces the whole directory, with defaults for missing fields', async () => {
      const { client, bot, path } = await buildDirectory({
        category_label: 'Branch',
        entries: [rivera, zoe],
      });
      const entry = { name: 'Lin', metadata: { floor: 2, days: ['Mon', 'Tue'] } };
      const { status, body } = await client.put(path, { enabled: true, entries: [entry] });
      const replaced = { ...empty, enabled: true, entries: [{ ...entry, category: '', link: '' }] };
      assert.deepEqual([status, body], [200, replaced]);
      assert.deepEqual((await client.get(path)).body, replaced);
      assert.deepEqual((await client.get(`/api/bots/${bot.id}`)).body.directory_config, replaced);
      assert.deepEqual((await client.put(path, {})).body, empty);
    });

    const unsafe = [
      'javascript:alert(1)',
      'java\nscript:alert(1)',
      '\tjavascript:alert(1)',
      ' https://a.example/',
      'https://a.example/\u0000',
      'JAVASCRIPT:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'ftp://a.example/',
      'sms:+351210000000',
      '//a.example/',
      '/book',
      'a.example',
    ];
    for (const link of selectCases(unsafe, 4))
      it(`refuses the link ${JSON.stringify(link)}, as createBot and updateBot do, and changes nothing`, async () => {
        const { client, bot, path } = await buildDirectory({ entries: [zoe] });
        const directory = { entries: [rivera, { name: 'Lin', link }] };
        const field = 'entries[1].link';
        const responses = [
          await client.put(path, directory),
          await client.patch(`/api/bots/${bot.id}`, { directory_config: directory }),
          await client.post('/api/bots', { name: 'Guide', directory_config: directory }),
        ];
        assert.deepEqual(
          responses.map(({ status, problem }) => [status, problem.details[0]!.field]),
          [
            [422, field],
            [422, `directory_config.${field}`],
            [422, `directory_config.${field}`],
          ],
        );
        assert.deepEqual((await client.get(path)).body.entries, [zoe]);
      });

    it('accepts http, mailto and tel links, and an empty link', async () => {
      const { client, path } = await buildDirectory();
      const links = [
        'http://a.example/',
        'HTTPS://a.example/ä',
        'mailto:a@b.example',
        'tel:+351210000000',
        '',
      ];
      const entries = links.map((link, at) => ({ name: `Choice ${at}`, category: '', link }));
      assert.deepEqual((await client.put(path, { entries })).body.entries, entries);
    });

    it('changes nothing else of the bot except updated_at', async () => {
      const { client, bot, path } = await buildDirectory();
      const { body: before } = await client.get(`/api/bots/${bot.id}`);
      const { body: directory } = await client.put(path, { entries: [rivera] });
      const { body: after } = await client.get(`/api/bots/${bot.id}`);
      assert.deepEqual(after, { ...before, directory_config: directory, updated_at: after.updated_at });
      assert.ok(after.updated_at > before.updated_at);
    });

    itInSoak('accepts 500 entries in their order, and refuses 501', async () => {
      const { client, path } = await buildDirectory();
      const entries = Array.from({ length: 501 }, (_, index) => ({ ...rivera, name: `Room ${501 - index}` }));
      const { status, body } = await client.put(path, { entries: entries.slice(1) });
      assert.deepEqual([status, body.entries], [200, entries.slice(1)]);
      const refused = await client.put(path, { entries });
      assert.equal(refused.status, 422);
      assert.equal(refused.problem.error.message, 'entries must have at most 500 items');
      assert.deepEqual((await client.get(path)).body, body);
    });

    itInSoak('stores one of several simultaneous directories completely', async () => {
      const { client, path } = await buildDirectory();
      const responses = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          client.put(path, {
            choice_label: `Label ${index}`,
            entries: Array.from({ length: index + 1 }, () => ({ ...rivera, name: `Room ${index}` })),
          }),
        ),
      );
      const { body } = await client.get(path);
      assert.ok(responses.some((response) => JSON.stringify(response.body) === JSON.stringify(body)));
    });
  });

  describe('resolveWidgetDirectory', () => {
    async function buildResolver(directory: object = {}, overrides: object = {}) {
      const config = { enabled: true, entries: [rivera, zoe], ...directory };
      const built = await buildActiveBot(parley, { directory_config: config, ...overrides });
      const resolveChoice = (body: object, headers?: Record<string, string>) =>
        parley.client().post(`/api/public/bots/${built.bot.public_key}/directory/resolve`, body, headers);
      return { ...built, resolve: resolveChoice };
    }

    it('returns the link, and the names as written in the directory', async () => {
      const { resolve } = await buildResolver();
      const { status, body } = await resolve({ category: 'Uptown', choice: 'Dr. Rivera' });
      assert.equal(status, 200);
      assert.deepEqual(body, { category: 'Uptown', choice: 'Dr. Rivera', link: rivera.link });
    });

    it('returns http, mailto and tel links, and drops unsafe links stored before they were refused', async () => {
      const { bot, resolve } = await buildResolver();
      const readLink = async (link: string) => {
        const directoryConfig = { enabled: true, entries: [{ ...rivera, link }] };
        await parley.database.repository(Bot).update(bot.id, { directoryConfig });
        return (await resolve({ category: rivera.category, choice: rivera.name })).body.link;
      };
      for (const link of [
        'http://a.example/',
        'HTTPS://a.example/',
        'mailto:a@b.example',
        'tel:+351210000000',
        '',
      ])
        assert.equal(await readLink(link), link);
      for (const link of ['javascript:alert(1)', ' https://a.example/', 'data:text/html,x', '/book'])
        assert.equal(await readLink(link), '');
    });

    const written: [category: string, choice: string][] = [
      ['uptown', 'dr. rivera'],
      ['UPTOWN', 'DR. RIVERA'],
      ['  Uptown\n', '\tDr.   Rivera '],
      ['Uptown', 'Dr.\u00a0Rivera'],
      ['Ｕｐｔｏｗｎ', 'Dr. Rivera'],
    ];
    for (const [category, choice] of written) {
      it(`matches ${JSON.stringify(choice)} in ${JSON.stringify(category)}`, async () => {
        const { resolve } = await buildResolver();
        assert.equal((await resolve({ category, choice })).body.link, rivera.link);
      });
    }

    it('matches letters whose accents are composed differently', async () => {
      const { resolve } = await buildResolver();
      const choice = zoe.name.normalize('NFD').toUpperCase();
      assert.equal((await resolve({ category: 'old harbour', choice })).body.link, zoe.link);
    });

    async function buildVisitor(config: object = {}) {
      const built = await buildResolver(config);
      const { body } = await parley
        .client()
        .post(`/api/public/bots/${built.bot.public_key}/sessions`, { visitor_id: 'v-1' });
      const visitor = parley.client(body.visitor_token);
      const path = `/api/public/bots/${built.bot.public_key}/directory/resolve` as const;
      const readStored = async () => {
        const { body: conversation } = await built.client.get(`/api/conversations/${body.session_id}`);
        if (conversation.contact_id === null) return [conversation.custom_fields, null];
        const { body: contact } = await built.client.get(`/api/contacts/${conversation.contact_id}`);
        return [conversation.custom_fields, contact.custom_fields];
      };
      return {
        ...built,
        readStored,
        choose: (wanted: object) => visitor.post(path, wanted),
        consent: (consent: string) =>
          visitor.post(`/api/public/sessions/${body.session_id}/consent`, { consent }),
      };
    }

    it('stores a visitor’s last choice in the configured fields of contact and conversation', async () => {
      const { choose, readStored } = await buildVisitor({ choice_field: 'doctor', result_field: '' });
      assert.deepEqual(await readStored(), [{}, null]);
      assert.equal((await choose({ category: 'old harbour', choice: zoe.name })).status, 200);
      assert.equal((await choose({ category: 'uptown', choice: 'dr. rivera' })).status, 200);
      const fields = { branch: 'Uptown', doctor: 'Dr. Rivera' };
      assert.deepEqual(await readStored(), [fields, fields]);
    });

    it('stores the link of a choice as well, deletes all stored fields when consent is denied, and stores none afterwards', async () => {
      const { choose, readStored, consent } = await buildVisitor();
      const selection = { category: 'Uptown', choice: 'Dr. Rivera' };
      await choose(selection);
      const fields = { branch: 'Uptown', preferred_specialist: 'Dr. Rivera', booking_link: rivera.link };
      assert.deepEqual(await readStored(), [fields, fields]);
      await consent('denied');
      assert.deepEqual(await readStored(), [{}, {}]);
      assert.equal((await choose(selection)).body.link, rivera.link);
      assert.deepEqual(await readStored(), [{}, {}]);
    });

    it('refuses an invalid token, and a token of another bot’s session', async () => {
      const [{ bot }, other] = [await buildResolver(), await buildVisitor()];
      const path = `/api/public/bots/${bot.public_key}/directory/resolve` as const;
      const selection = { category: 'Uptown', choice: 'Dr. Rivera' };
      assert.equal(formatOutcome(await parley.client('nobody').post(path, selection)), '401 unauthenticated');
      const { body } = await parley.client().post(`/api/public/bots/${other.bot.public_key}/sessions`, {});
      assert.equal(
        formatOutcome(await parley.client(body.visitor_token).post(path, selection)),
        '403 forbidden',
      );
    });

    const unknown: [category: string | undefined, choice: string][] = [
      ['Uptown', 'Dr. River'],
      ['Uptown', 'Dr Rivera'],
      ['Uptown', '%'],
      ['Downtown', 'Dr. Rivera'],
      ['Old Harbour', 'Dr. Rivera'],
      ['Old Harbour', 'Zoe Artemis'],
      ['', 'Dr. Rivera'],
      [undefined, 'Dr. Rivera'],
    ];
    for (const [category, choice] of selectCases(unknown, 2)) {
      it(`does not match ${JSON.stringify(choice)} in ${JSON.stringify(category)}`, async () => {
        const { resolve } = await buildResolver();
        const response = await resolve({ category, choice });
        assert.equal(formatOutcome(response), '404 not_found');
        assert.equal(response.problem.error.message, 'The directory has no such choice in this category.');
      });
    }

    it('needs no category if the entry has no category', async () => {
      const { resolve } = await buildResolver({ entries: [{ name: 'Lin' }] });
      const { body } = await resolve({ choice: 'lin' });
      assert.deepEqual(body, { category: '', choice: 'Lin', link: '' });
    });

    it('prefers an exact match, then the first entry', async () => {
      const entries = ['LIN', 'Lin', 'lin'].map((name) => ({
        name,
        link: `https://book.example.com/${name}`,
      }));
      const { resolve } = await buildResolver({ entries });
      assert.equal((await resolve({ choice: 'lin' })).body.choice, 'lin');
      assert.equal((await resolve({ choice: 'liN' })).body.choice, 'LIN');
    });

    it('returns 404 while the directory is disabled or absent', async () => {
      const selection = { category: 'Uptown', choice: 'Dr. Rivera' };
      for (const built of [
        await buildResolver({ enabled: false }),
        await buildResolver({}, { directory_config: null }),
      ]) {
        const response = await built.resolve(selection);
        assert.equal(formatOutcome(response), '404 not_found');
        assert.equal(response.problem.error.message, 'The bot has no directory.');
      }
    });

    it('returns 404 for a private, paused or deleted bot', async () => {
      const { client, bot, resolve } = await buildResolver();
      const selection = { category: 'Uptown', choice: 'Dr. Rivera' };
      assert.equal((await resolve(selection)).status, 200);
      await client.patch(`/api/bots/${bot.id}`, { is_public: false });
      assert.equal(formatOutcome(await resolve(selection)), '404 not_found');
      await client.patch(`/api/bots/${bot.id}`, { is_public: true, status: 'paused' });
      assert.equal(formatOutcome(await resolve(selection)), '404 not_found');
      await client.patch(`/api/bots/${bot.id}`, { status: 'active' });
      await client.delete(`/api/bots/${bot.id}`);
      assert.equal(formatOutcome(await resolve(selection)), '404 not_found');
    });

    it('returns 403 to pages outside the allowed domains', async () => {
      const { resolve } = await buildResolver({}, { allowed_domains: ['*.shop.example'] });
      const selection = { category: 'Uptown', choice: 'Dr. Rivera' };
      assert.equal((await resolve(selection, { origin: 'https://www.shop.example' })).status, 200);
      assert.equal(
        formatOutcome(await resolve(selection, { origin: 'https://evil.example' })),
        '403 forbidden',
      );
      assert.equal(formatOutcome(await resolve(selection)), '403 forbidden');
    });

    it('uses a replaced directory at once', async () => {
      const { client, bot, resolve } = await buildResolver();
      await client.put(`/api/bots/${bot.id}/directory`, { enabled: true, entries: [{ name: 'Lin' }] });
      assert.equal(
        formatOutcome(await resolve({ category: 'Uptown', choice: 'Dr. Rivera' })),
        '404 not_found',
      );
      assert.equal((await resolve({ choice: 'Lin' })).status, 200);
    });

    it('refuses an empty or overlong choice', async () => {
      const { resolve } = await buildResolver();
      for (const body of [
        {},
        { choice: '' },
        { choice: 'x'.repeat(151) },
        { choice: 'x', category: 'x'.repeat(101) },
      ])
        assert.equal(formatOutcome(await resolve(body)), '422 validation_error');
    });
  });
});

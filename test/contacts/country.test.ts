import assert from 'node:assert/strict';
import { startParley, type TestParley, type TestProcess } from '../support/parley.ts';
import { createSessionStarter, buildActiveBot } from '../support/widget.ts';

const overrides = { lead_capture_config: { enabled: true, fields: [{ key: 'name', label: 'Name' }] } };

describe('startWidgetSession, for the country of a contact,', () => {
  let parley: TestParley;
  before(async () => {
    parley = await startParley({ PARLEY_TRUSTED_PROXIES: '1', PARLEY_COUNTRY_HEADER: 'X-Country' });
  });
  after(() => parley.stop());

  /** Returns the countries that an API process stores for visitors with these headers. */
  async function readCountries(process: TestProcess, values: (string | null)[]) {
    const { client, bot } = await buildActiveBot(parley, overrides);
    for (const value of values) {
      const headers = value === null ? undefined : { 'x-country': value };
      const path = `/api/public/bots/${bot.public_key}/sessions` as const;
      const { body } = await process.client().post(path, {}, headers);
      const visitor = process.client(body.visitor_token);
      await visitor.post(`/api/public/sessions/${body.session_id}/lead`, { fields: { name: 'Ada' } });
    }
    const { body } = await client.get('/api/contacts');
    return body.items.map(({ country }: { country: string | null }) => country).toReversed();
  }

  it('stores the trusted proxy’s header if it is a country code', async () => {
    const headerValues = ['DE', 'fr', 'XX', 'T1', 'Germany', '', 'DE, FR', null];
    assert.deepEqual(await readCountries(parley, headerValues), [
      'DE',
      'FR',
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  for (const [consent, expected] of [
    ['granted', ['DE', 'DE']],
    ['withdrawn', [null, null]],
  ] as const) {
    it(`${expected[0] ? 'stores the country' : 'stores no country'} in this session and later sessions if consent is ${consent}`, async () => {
      const { bot, orgId } = await buildActiveBot(parley, overrides);
      const browser = createSessionStarter(parley);
      const start = () => browser(bot.public_key, { visitor_id: 'v-1' }, { 'x-country': 'DE' });
      const { body } = await start();
      const visitor = parley.client(body.visitor_token);
      await visitor.post(`/api/public/sessions/${body.session_id}/consent`, { consent });
      await start();
      const rows = await parley.database.sql<{ country: string | null }>(
        'SELECT country FROM conversations WHERE org_id = $1 ORDER BY id',
        [orgId],
      );
      assert.deepEqual(
        rows.map(({ country }) => country),
        expected,
      );
    });
  }

  it('stores no country without a trusted proxy, or without its header', async () => {
    for (const changes of [{ trustedProxies: 0 }, { countryHeader: undefined }]) {
      assert.deepEqual(await readCountries(await parley.startAnother(changes), ['DE']), [null]);
    }
  });
});

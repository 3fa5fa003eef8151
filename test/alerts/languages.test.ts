import assert from 'node:assert/strict';
import { Org } from '../../entities/team/org.entity.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestOrg, type TestParley } from '../support/parley.ts';
import { FakeWhatsapp, WHATSAPP } from '../support/whatsapp.ts';
import {
  addAlerts,
  connectChat,
  readCapturedTexts,
  savePolicy,
  takeTurn,
  WITHOUT_WORKER,
} from './support.ts';

describe('the language of alerts', () => {
  const whatsapp = new FakeWhatsapp();
  let parley: TestParley;
  let org: TestOrg;

  before(async () => {
    const settings = {
      whatsappApiUrl: await whatsapp.start(),
      PARLEY_WHATSAPP_TEMPLATE_LANGUAGES: 'en_GB,pt_PT,de',
    };
    parley = await startParley({ ...WITHOUT_WORKER, ...WHATSAPP, ...settings });
  });
  after(async () => {
    await parley.stop();
    await whatsapp.stop();
  });
  beforeEach(async () => (org = await parley.buildOrg()));

  const setLanguage = (language: string) =>
    parley.database.repository(Org).update(org.orgId, { settings: { default_language: language } });

  /** Connects a chat with the workspace and saves an alert policy for it. */
  async function connectWithPolicy(channel: 'telegram' | 'whatsapp', fields: object = {}) {
    const destination = await connectChat(parley, org, channel);
    const { id } = await savePolicy(org, { channel, destination, ...fields });
    return { id: id as string, destination };
  }

  it('is the workspace’s, in links, alerts, tests and codes', async () => {
    await setLanguage('de-AT');
    const { body } = await org.client.post('/api/alerts/whatsapp/connect', {});
    assert.match(
      new URL(body.link).searchParams.get('text')!,
      /^Bitte senden Sie mir Meldungen von Parley: /,
    );
    const { id, destination } = await connectWithPolicy('telegram', { label: 'Empfang', daily_cap: 1 });
    await addAlerts(parley, org, id, [{}]);
    assert.equal(await takeTurn(parley, org, id), 'kept');
    await org.client.post(`/api/alerts/${id}/test`, {});
    assert.equal(await takeTurn(parley, org, id), 'kept');
    const typed = { channel: 'telegram', destination: '4711' } as const;
    const other = await savePolicy(org, typed);
    await org.client.post(`/api/alerts/${other.id}/verify/start`, {});
    assert.equal(await takeTurn(parley, org, other.id), 'kept');
    const [alert, test] = await readCapturedTexts(parley, destination);
    assert.match(
      alert!,
      /^Empfang\nNutzungsgrenze erreicht Öffnen\nDie Tagesgrenze von 1 Nachricht ist erreicht\./,
    );
    assert.match(test!, /^Test: Empfang\nMeldungen kommen hier an\./);
    const [code] = await readCapturedTexts(parley, '4711');
    assert.match(code!, /^Ihr Code für Meldungen von Parley: \d{6}\nEr gilt 10 Minuten\./);
  });

  itInSoak(
    'of a template is the workspace’s if the template is approved in it, and otherwise the first approved language',
    async () => {
      const readTemplateLanguage = async (language: string) => {
        await setLanguage(language);
        const { id, destination } = await connectWithPolicy('whatsapp');
        await parley.database.sql(
          'UPDATE alert_destinations SET last_inbound_at = NULL WHERE destination = $1',
          [destination],
        );
        await addAlerts(parley, org, id, [{}]);
        assert.equal(await takeTurn(parley, org, id), 'accepted');
        const [sent] = whatsapp.getSentTo(destination);
        return [sent!.type, sent!.language, sent!.text];
      };
      assert.deepEqual(await readTemplateLanguage('pt-BR'), [
        'template',
        'pt_PT',
        'Limite de utilização atingido',
      ]);
      assert.deepEqual(await readTemplateLanguage('it'), [
        'template',
        'en_GB',
        'Limite di utilizzo raggiunto',
      ]);
      assert.deepEqual(await readTemplateLanguage('pl'), ['template', 'en_GB', 'Usage limit reached']);
    },
  );
});

import assert from 'node:assert/strict';
import { buildPerson, givePassword } from '../../accounts/support.ts';
import { startParley, type TestParley } from '../../support/parley.ts';
import { waitUntilEqual } from '../../support/wait-until.ts';
import {
  createEndpoint,
  emitLead,
  fanOut,
  startDispatcher,
  UNREACHABLE_URL,
} from '../../webhooks/support.ts';
import { useConsoles } from '../../console/support.ts';

const UI = 'https://temporal.example.com';
const WORKFLOWS = `${UI}/namespaces/default/workflows?query=`;

describe('links of the console to workflows', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley({ PARLEY_TEMPORAL_UI_URL: UI })));
  after(() => parley?.stop());

  it('are shown to owners only, at retried deliveries and documents (getOperatorLinks)', async () => {
    const owner = await buildPerson(parley);
    const { client } = owner;
    await createEndpoint(owner, UNREACHABLE_URL);
    await emitLead(parley, owner);
    await fanOut(parley);
    const dispatcher = startDispatcher(parley);
    const readDelivery = async () => (await client.get('/api/webhooks/deliveries')).body.items[0];
    await waitUntilEqual(async () => (await readDelivery())?.status, 'retrying');
    await dispatcher.stop();
    const { body: bot } = await client.post('/api/bots', { name: 'Help desk' });
    const text = { source_type: 'raw_text', title: 'Prices', raw_text: 'A kayak costs nine euros.' };
    const { body: document } = await client.post(`/api/bots/${bot.id}/knowledge`, text);
    const place = `/bots/${bot.id}/knowledge?document=${document.id}`;

    const page = await consoles().openAsPerson(parley, owner, '/webhooks/deliveries');
    const link = page.getByRole('dialog').getByRole('link', { name: 'View in Temporal' });
    const readQuery = async () =>
      decodeURIComponent(((await link.getAttribute('href')) ?? '').replace(WORKFLOWS, ''));
    await page.getByRole('link', { name: 'lead.captured' }).click();
    await waitUntilEqual(readQuery, `WorkflowId="webhook-delivery/${(await readDelivery())!.id}"`);
    await page.goto(`${parley.baseUrl}/console${place}`);
    await waitUntilEqual(readQuery, `DocumentId="${document.id}"`);

    const admin = await givePassword(parley, await parley.buildOrg({ orgId: owner.orgId, role: 'admin' }));
    const other = await consoles().openAsPerson(parley, admin, place);
    await other.getByRole('dialog').getByText('Prices').first().waitFor();
    // Assert that this page did not request operator links: an owner's page does so when the drawer opens.
    const requested = await other.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name.split('?')[0]),
    );
    assert.ok(
      requested.some((name) => name?.endsWith(`/knowledge/${document.id}`)),
      requested.join(' '),
    );
    assert.deepEqual(
      requested.filter((name) => name?.endsWith('/api/ext/operator-links')),
      [],
    );
    assert.equal(await other.getByText('View in Temporal').count(), 0);
  });
});

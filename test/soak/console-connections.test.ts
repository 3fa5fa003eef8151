import { setTimeout as sleep } from 'node:timers/promises';
import { startParley, type TestParley } from '../support/parley.ts';
import { useConsoles } from '../console/support.ts';
import { buildWaiting } from '../console/waiting-visitor.ts';

describe('a conversation that is open in the console', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  it('shows a colleague’s answer in two browsers that were offline for a minute', async () => {
    const { key, id, ask, orgId } = await buildWaiting(parley);
    const colleague = await parley.buildOrg({ orgId });
    await ask();
    const pages = [
      await consoles().openWithKey(parley, key, `#/inbox/${id}`),
      await consoles().openWithKey(parley, key, `#/inbox/${id}`),
    ];
    for (const page of pages) {
      await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
      await page.context().setOffline(true);
    }
    await colleague.client.post(`/api/inbox/${id}/claim`);
    await colleague.client.post(`/api/inbox/${id}/reply`, { content: 'We have a pump.' });
    await sleep(60_000);
    for (const page of pages) await page.context().setOffline(false);
    for (const page of pages) await page.getByRole('log').getByText('We have a pump.').waitFor();
    await colleague.client.post(`/api/inbox/${id}/reply`, { content: 'Come by.' });
    for (const page of pages) await page.getByRole('log').getByText('Come by.').waitFor();
  });

  it('shows a message to a frozen tab once it thaws', async () => {
    const { key, id, ask, visitor, path } = await buildWaiting(parley);
    await ask();
    const page = await consoles().openWithKey(parley, key, `#/inbox/${id}`);
    await page.getByRole('log').getByText('My bike has a flat tyre.').waitFor();
    const browser = await page.context().newCDPSession(page);
    await browser.send('Page.setWebLifecycleState', { state: 'frozen' });
    await visitor.post(`${path}/messages`, { content: 'Is anybody there?' });
    await browser.send('Page.setWebLifecycleState', { state: 'active' });
    await page.getByRole('log').getByText('Is anybody there?').waitFor();
    await visitor.post(`${path}/messages`, { content: 'Hello?' });
    await page.getByRole('log').getByText('Hello?').waitFor();
  });
});

import assert from 'node:assert/strict';
import {
  alertEvents as knownEvents,
  eventsByIntensity as eventsThere,
} from '../../services/alerts/alert-events.ts';
import { alertEvents, listImmediateEvents, type Intensity } from '../../console/alerts/alert-words.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildPolicies, button, findCard, inDialog } from './alert-support.ts';
import { MISNAMED, NAMELESS, useConsoles } from './support.ts';
import { itInSoak } from '../support/it-in-soak.ts';

const PHONE = { viewport: { width: 390, height: 844 } };

describe('the list of alerts', function () {
  const consoles = useConsoles(this);
  let parley: SharedParley;
  let org: TestOrg;
  before(async () => (parley = await startSharedParley()));
  beforeEach(async () => (org = await parley.buildOrg()));

  itInSoak(
    'listAlertPolicies shows each policy’s destination, events and sent alerts, and why it is held, blocked or unverified',
    async () => {
      const { capped } = await buildPolicies(parley, org);
      const page = await consoles().openWithKey(parley, org.key, '#/alerts', {
        viewport: { width: 1280, height: 1000 },
      });
      const duty = findCard(page, 'Duty phone');
      await duty.getByText('active', { exact: true }).waitFor();
      const held = await duty.locator('.reason').innerText();
      assert.match(held, /^7 alerts of today were held, because the 20 messages of the day have gone out\./);
      assert.match(
        held,
        /What is still held comes in the summary of .+\. The next day begins on .+; a higher cap/,
      );
      const times = await duty.locator('.reason time').all();
      await waitUntilEqual(
        () => Promise.all(times.map((time) => time.getAttribute('datetime'))),
        [capped.next_digest_at, capped.day_resets_at],
      );
      await duty.getByText('20 of 20 messages').waitFor();
      await duty.getByText('Every day at 09:00 (UTC)').waitFor();
      await duty.getByText('All of Acme').waitFor();

      const workshop = findCard(page, 'Workshop');
      await workshop.getByText('Nothing arrives there: The bot was removed from the group.').waitFor();
      await workshop.getByText('Forbidden: bot was kicked').waitFor();
      await workshop.getByText('Every Monday at 09:00 (UTC)').waitFor();
      await button(page, 'Connect again Workshop').waitFor();
      const unverified = findCard(page, '@harbour_bikes');
      await unverified.getByText('not verified', { exact: true }).waitFor();
      await unverified.getByText('A visitor waits for a person, a message was written').waitFor();
      await button(page, 'Verify @harbour_bikes').waitFor();
      await findCard(page, 'Old phone').getByText('off', { exact: true }).waitFor();
      await findCard(page, 'Reception').getByText('12 of 50 messages').waitFor();
      await waitUntilEqual(
        async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
        [[], []],
      );
      await takePicture(page, 'console-alerts');
    },
  );

  itInSoak(
    'saveAlertPolicy changes a policy, keeps typed values while another page is open, shows errors at their field, and estimates',
    async () => {
      const { reception } = await buildPolicies(parley, org);
      const page = await consoles().openWithKey(parley, org.key, '#/alerts', PHONE);
      await button(page, 'Edit Reception').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^About 0 messages a month/).waitFor();
      await dialog.getByLabel('Time zone').fill('Mars/Olympus');
      await dialog.getByText('There is an estimate once the time zone is one.').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await button(page, 'Edit Reception').click();
      await inDialog(page, 'Save').click();
      await dialog.getByText('The time zone must be a time zone').waitFor();
      await waitUntilEqual(() => page.evaluate('document.activeElement.value'), 'Mars/Olympus');
      await dialog.getByLabel('Time zone').fill('Europe/Lisbon');
      await dialog.getByRole('radio', { name: 'Nothing at once' }).check();
      await waitUntilEqual(
        () => dialog.getByLabel('Summary').locator('option').allInnerTexts(),
        ['Every day', 'Every week'],
      );
      await dialog.getByLabel('Summary').selectOption('Every week');
      await dialog.getByLabel('On', { exact: true }).selectOption('Sunday');
      await dialog.getByLabel('At', { exact: true }).selectOption('08:00');
      await dialog.getByRole('checkbox', { name: 'Choose the events one by one' }).check();
      for (const event of ['a contact has changed', 'a document is indexed'])
        await dialog.getByRole('checkbox', { name: event }).uncheck();
      await dialog.getByLabel('Messages a day at most').fill('');
      await dialog.getByLabel('Label').fill('Front desk');
      await dialog.getByText('summaries').or(dialog.getByText('About 0 messages')).first().waitFor();
      await inDialog(page, 'Save').click();
      await page.getByText('The alert is saved.').waitFor();
      await findCard(page, 'Front desk').getByText('Every Sunday at 08:00 (Europe/Lisbon)').waitFor();
      const { body } = await org.client.get('/api/alerts');
      const saved = body.find(({ id }) => id === reception.id)!;
      assert.deepEqual(
        [
          saved.intensity,
          saved.digest,
          saved.digest_weekday,
          saved.digest_hour,
          saved.daily_cap,
          saved.label,
        ],
        ['digest', 'weekly', 0, 8, null, 'Front desk'],
      );
      assert.equal(saved.events?.length, 11);
      const width = 'document.documentElement.scrollWidth';
      await waitUntilEqual(() => page.evaluate(width), PHONE.viewport.width);
    },
  );

  itInSoak(
    'deleteAlertPolicy deletes after a confirmation, and an empty list says who can add alerts',
    async () => {
      const policies = await buildPolicies(parley, org);
      for (const { id, label } of Object.values(policies))
        if (label !== 'Reception') await org.client.delete(`/api/alerts/${id}`);
      const page = await consoles().openWithKey(parley, org.key, '#/alerts');
      await button(page, 'Delete Reception').click();
      await inDialog(page, 'Cancel').click();
      await button(page, 'Delete Reception').click();
      await inDialog(page, 'Delete').click();
      await page.getByText('The alert is deleted.').waitFor();
      await page.getByText('There are no alerts yet. A new alert takes a phone').waitFor();
      assert.deepEqual((await org.client.get('/api/alerts')).body, []);
    },
  );

  itInSoak(
    'shows viewers no controls, names a missing permission, and retries an unreachable Parley',
    async () => {
      await buildPolicies(parley, org);
      const viewer = await parley.buildOrg({ orgId: org.orgId, role: 'viewer' });
      const page = await consoles().openWithKey(parley, viewer.key, '#/alerts');
      await findCard(page, 'Reception').waitFor();
      await waitUntilEqual(() => page.getByRole('main').getByRole('button').allInnerTexts(), ['Refresh']);

      await page.route('**/api/alerts', (route) => route.abort());
      await button(page, 'Refresh').click();
      await page.getByRole('alert').getByText('Parley cannot be reached').waitFor();
      await findCard(page, 'Reception').waitFor();
      await page.unroute('**/api/alerts');
      await page.getByRole('alert').waitFor({ state: 'detached' });

      const blind = await parley.buildOrg({ orgId: org.orgId, scopes: ['bots:read'] });
      const other = await consoles().openWithKey(parley, blind.key, '#/alerts');
      await other.getByText("You don't have permission").waitFor();
      const areas = other.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Alerts' });
      await waitUntilEqual(() => areas.count(), 0);
    },
  );

  it('has a label for every event, and the events of each intensity', () => {
    assert.deepEqual(Object.keys(alertEvents), knownEvents);
    for (const [intensity, events] of Object.entries(eventsThere))
      assert.deepEqual(listImmediateEvents(intensity as Intensity), events, intensity);
  });
});

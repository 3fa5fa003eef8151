import assert from 'node:assert/strict';
import {
  alertEvents as knownEvents,
  eventsByIntensity as eventsThere,
} from '../../services/alerts/alert-events.ts';
import { alertEvents, listImmediateEvents, type Intensity } from '../../console/alerts/alert-words.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../support/parley.ts';
import { takePicture } from '../support/pictures.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { act, buildPolicies, button, findCard, inDialog } from './alert-support.ts';
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
    'shows each policy’s destination, events and sent alerts, and why it is held, blocked or unverified (listAlertPolicies)',
    async () => {
      const { capped } = await buildPolicies(parley, org);
      const page = await consoles().openWithKey(parley, org.key, '/alerts', {
        viewport: { width: 1280, height: 1000 },
      });
      const duty = findCard(page, 'Duty phone');
      await duty.getByText('Active', { exact: true }).waitFor();
      const held = await duty.locator('.mantine-Alert-root').innerText();
      assert.match(held, /^7 alerts queued: the daily limit of 20 messages is reached\./);
      assert.match(held, /They'll be in the summary on .+\. The limit resets on .+\. Raise the daily limit/);
      const times = await duty.locator('.mantine-Alert-root time').all();
      await waitUntilEqual(
        () => Promise.all(times.map((time) => time.getAttribute('datetime'))),
        [capped.next_digest_at, capped.day_resets_at],
      );
      await duty.getByText('20 of 20 messages').waitFor();
      await duty.getByText('Every day at 09:00 (UTC)').waitFor();
      await duty.getByText('WhatsApp · All of Acme').waitFor();

      const workshop = findCard(page, 'Workshop');
      await workshop.getByText('Delivery blocked: The bot was removed from the group.').waitFor();
      await workshop.getByText('Forbidden: bot was kicked').waitFor();
      await workshop.getByText('Every Monday at 09:00 (UTC)').waitFor();
      await button(page, 'Reconnect Workshop').waitFor();
      const unverified = findCard(page, '@harbour_bikes');
      await unverified.getByText('Not verified', { exact: true }).waitFor();
      await unverified.getByText('Handoff requested, message sent').waitFor();
      await button(page, 'Verify @harbour_bikes').waitFor();
      await findCard(page, 'Old phone').getByText('Off', { exact: true }).first().waitFor();
      await findCard(page, 'Reception').getByText('12 of 50 messages').waitFor();
      await waitUntilEqual(
        async () => [await page.evaluate(NAMELESS), await page.evaluate(MISNAMED)],
        [[], []],
      );
      await takePicture(page, 'console-alerts');
    },
  );

  itInSoak(
    'changes a policy, keeps typed values while another page is open, shows errors at their field, and shows an estimate (saveAlertPolicy)',
    async () => {
      const { reception } = await buildPolicies(parley, org);
      const page = await consoles().openWithKey(parley, org.key, '/alerts', PHONE);
      await act(page, 'Reception', 'Edit');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(/^About 0 messages a month/).waitFor();
      const zone = dialog.getByRole('combobox', { name: 'Time zone' });
      await dialog.getByLabel('Label').fill('Front desk');
      await dialog.getByLabel('Daily message limit').fill('5000');
      await dialog.getByText('Enter a limit from 1 to 2000').waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await act(page, 'Reception', 'Edit');
      await waitUntilEqual(() => dialog.getByLabel('Label').inputValue(), 'Front desk');
      await inDialog(page, 'Save changes').click();
      await dialog.getByText('Enter 2000 or less.').waitFor();
      await waitUntilEqual(() => page.evaluate('document.activeElement.value'), '5000');
      await zone.fill('Lisbon');
      await page.getByRole('option', { name: 'Europe/Lisbon' }).click();
      await dialog.getByRole('radio', { name: 'Summaries only' }).check();
      await waitUntilEqual(
        () => dialog.getByLabel('Summary').locator('option').allInnerTexts(),
        ['Daily', 'Weekly'],
      );
      await dialog.getByLabel('Summary').selectOption('Weekly');
      await dialog.getByLabel('On', { exact: true }).selectOption('Sunday');
      await dialog.getByLabel('At', { exact: true }).selectOption('08:00');
      await dialog.getByRole('checkbox', { name: 'Choose events individually' }).check();
      for (const event of ['Contact updated', 'Document ready'])
        await dialog.getByRole('checkbox', { name: event }).uncheck();
      await dialog.getByLabel('Daily message limit').fill('');
      await dialog.getByText('summaries').or(dialog.getByText('About 0 messages')).first().waitFor();
      await inDialog(page, 'Save changes').click();
      await page.getByText('Alert saved').waitFor();
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
    'deletes a policy after a confirmation, and names those who can add alerts if the list is empty (deleteAlertPolicy)',
    async () => {
      const policies = await buildPolicies(parley, org);
      for (const { id, label } of Object.values(policies))
        if (label !== 'Reception') await org.client.delete(`/api/alerts/${id}`);
      const page = await consoles().openWithKey(parley, org.key, '/alerts');
      await act(page, 'Reception', 'Delete');
      await inDialog(page, 'Cancel').click();
      await act(page, 'Reception', 'Delete');
      await inDialog(page, 'Delete').click();
      await page.getByText('Alert deleted').waitFor();
      await page.getByText('Set up an alert with Telegram or WhatsApp in a minute.').waitFor();
      assert.deepEqual((await org.client.get('/api/alerts')).body, []);
    },
  );

  itInSoak(
    'shows viewers no controls, names a missing permission, and retries when Parley is unreachable',
    async () => {
      await buildPolicies(parley, org);
      const viewer = await parley.buildOrg({ orgId: org.orgId, role: 'viewer' });
      const page = await consoles().openWithKey(parley, viewer.key, '/alerts');
      await findCard(page, 'Reception').waitFor();
      await waitUntilEqual(() => button(page, 'Actions: Reception').count(), 0);
      await waitUntilEqual(() => button(page, 'Create alert').count(), 0);

      await page.route('**/api/alerts', (route) => route.abort());
      await button(page, 'Refresh').click();
      await page.getByRole('alert').getByText("Can't reach Parley").waitFor();
      await findCard(page, 'Reception').waitFor();
      await page.unroute('**/api/alerts');
      await page.getByRole('alert').waitFor({ state: 'detached' });

      const blind = await parley.buildOrg({ orgId: org.orgId, scopes: ['bots:read'] });
      const other = await consoles().openWithKey(parley, blind.key, '/alerts');
      await other.getByText("You don't have permission").waitFor();
      const areas = other.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Alerts' });
      await waitUntilEqual(() => areas.count(), 0);
    },
  );

  it('has a label for every event, and lists the events of each intensity', () => {
    assert.deepEqual(Object.keys(alertEvents), knownEvents);
    for (const [intensity, events] of Object.entries(eventsThere))
      assert.deepEqual(listImmediateEvents(intensity as Intensity), events, intensity);
  });
});

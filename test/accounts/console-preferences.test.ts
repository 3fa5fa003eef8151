import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { ConsolePreference } from '../../entities/accounts/console-preference.entity.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { AccountRepository } from '../../repositories/accounts/account.repository.ts';
import { formatOutcome } from '../support/outcome.ts';
import { startSharedParley, type SharedParley } from '../support/parley.ts';
import { signInAs } from '../team/support.ts';

const PREFERENCES = '/api/ext/console-preferences';
const DEFAULTS = {
  theme: 'auto',
  time_zone: null,
  notifications: { waiting: false, assigned: false, reply: false, sound: false },
  has_dismissed_checklist: false,
};

describe('console preferences:', () => {
  let parley: SharedParley;
  before(async () => {
    parley = await startSharedParley();
  });

  const signIn = () => signInAs(parley, 'viewer');

  it('getConsolePreferences returns the defaults, and after updateConsolePreferences the changes', async () => {
    const { session, client, userId } = await signIn();
    assert.deepEqual((await session.get(PREFERENCES)).body, DEFAULTS);
    assert.equal(await parley.database.repository(ConsolePreference).countBy({ userId }), 0);
    const first = await session.patch(PREFERENCES, {
      theme: 'dark',
      time_zone: 'europe/lisbon',
      notifications: { waiting: true, sound: true },
    });
    const changed = {
      theme: 'dark',
      time_zone: 'Europe/Lisbon',
      notifications: { waiting: true, assigned: false, reply: false, sound: true },
      has_dismissed_checklist: false,
    };
    assert.deepEqual([first.status, first.body], [200, changed]);
    const second = await session.patch(PREFERENCES, {
      time_zone: null,
      notifications: { waiting: false, assigned: true, reply: true },
    });
    const expected = {
      ...changed,
      time_zone: null,
      notifications: { waiting: false, assigned: true, reply: true, sound: true },
    };
    assert.deepEqual(second.body, expected);
    assert.deepEqual((await session.get(PREFERENCES)).body, expected);
    assert.equal(formatOutcome(await client.get(PREFERENCES)), '403 forbidden');
  });

  it('updateConsolePreferences dismisses the checklist of the session’s workspace only', async () => {
    const { session, userId } = await signIn();
    const other = await parley.buildOrg();
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId, role: 'member' });
    const elsewhere = (await parley.signIn({ userId, orgId: other.orgId })).client;
    const dismiss = (client: typeof session, isDismissed: boolean) =>
      client.patch(PREFERENCES, { has_dismissed_checklist: isDismissed });
    const readAll = () =>
      Promise.all(
        [session, elsewhere].map(async (each) => (await each.get(PREFERENCES)).body.has_dismissed_checklist),
      );
    await dismiss(session, true);
    await dismiss(session, true);
    assert.deepEqual(await readAll(), [true, false]);
    await dismiss(elsewhere, true);
    await dismiss(session, false);
    assert.deepEqual(await readAll(), [false, true]);
  });

  it('updateConsolePreferences refuses to dismiss a checklist without a workspace', async () => {
    const { userId, orgId } = await signIn();
    await parley.database.repository(Membership).delete({ userId, orgId });
    const { client } = await parley.signIn({ userId, orgId: null });
    const refused = await client.patch(PREFERENCES, { has_dismissed_checklist: true });
    assert.equal(formatOutcome(refused), '422 validation_error');
    assert.equal(refused.problem.details[0]!.field, 'has_dismissed_checklist');
    assert.equal((await client.patch(PREFERENCES, { theme: 'light' })).body.theme, 'light');
  });

  it('updateConsolePreferences refuses an unknown theme and time zone', async () => {
    const { session } = await signIn();
    for (const [field, value] of [
      ['theme', 'sepia'],
      ['time_zone', 'Mars/Olympus'],
    ] as const) {
      const refused = await session.patch(PREFERENCES, { [field]: value });
      assert.equal(formatOutcome(refused), '422 validation_error');
      assert.equal(refused.problem.details[0]!.field, field);
    }
    assert.deepEqual((await session.get(PREFERENCES)).body, DEFAULTS);
  });

  it('updateConsolePreferences loses no concurrent change of another field', async () => {
    const { session } = await signIn();
    const notifications = ['waiting', 'assigned', 'reply', 'sound'] as const;
    await Promise.all(
      notifications.map((name) => session.patch(PREFERENCES, { notifications: { [name]: true } })),
    );
    const { body } = await session.get(PREFERENCES);
    assert.deepEqual(body.notifications, { waiting: true, assigned: true, reply: true, sound: true });
  });

  it('a deleted account leaves no row of preferences', async () => {
    const { session, userId } = await signIn();
    await session.patch(PREFERENCES, { theme: 'dark' });
    const accounts = new AccountRepository();
    await accounts.deactivate(parley.database, userId);
    await accounts.delete(parley.database, userId);
    assert.equal(await parley.database.repository(ConsolePreference).countBy({ userId }), 0);
  });
});

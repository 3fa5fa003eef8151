import assert from 'node:assert/strict';
import { newId } from '../../core/ids.ts';
import { Membership } from '../../entities/team/membership.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { buildPerson, readMailsTo, PASSWORD } from '../accounts/support.ts';
import { itInSoak } from '../support/it-in-soak.ts';
import { startParley, type TestParley } from '../support/parley.ts';
import { waitUntilEqual } from '../support/wait-until.ts';
import { buildSession } from '../support/widget.ts';
import { assertWorkspace, signInWithPassword, switchWorkspace, useConsoles } from './support.ts';

describe('a link to the console in an email', function () {
  const consoles = useConsoles(this);
  let parley: TestParley;
  before(async () => (parley = await startParley()));
  after(() => parley?.stop());

  itInSoak('about a waiting visitor opens the conversation in its workspace', async () => {
    const person = await buildPerson(parley);
    const other = await buildSession(parley, { handoff_enabled: true });
    await parley.database.repository(Org).update(other.orgId, { name: 'Globex' });
    const stranger = await buildPerson(parley);
    await parley.database
      .repository(Membership)
      .insert({ id: newId(), orgId: other.orgId, userId: person.userId, role: 'member' });
    await other.visitor.post(`${other.path}/handoff`, { reason: 'My bike is gone' });
    const conversationId = other.session.session_id as string;
    await parley.runtime.services.mail.teamNotices.mailHandoffRequested(
      parley.database,
      { orgId: other.orgId, botId: other.bot.id as string, conversationId },
      'notify-handoff/test',
    );
    const link = (await readMailsTo(parley, person.email)).at(-1)!.values['link']!;
    assert.equal(
      link,
      `${parley.runtime.settings.baseUrl}/console#/inbox/${conversationId}?workspace=${other.orgId}`,
    );
    const place = new URL(link).hash;
    const page = await consoles().visit(`${parley.baseUrl}/console${place}`);
    await signInWithPassword(page, person.email, PASSWORD);
    await page.getByRole('log').getByText('The visitor asked for a person: My bike is gone').waitFor();
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console/inbox/${conversationId}`);
    await assertWorkspace(page, 'Globex');
    await switchWorkspace(page, 'Acme');
    await waitUntilEqual(() => page.url(), `${parley.baseUrl}/console`);
    await page.goto(`${parley.baseUrl}/console${place}`);
    await page.getByRole('log').getByText('The visitor asked for a person: My bike is gone').waitFor();
    const foreign = await consoles().openAsPerson(parley, stranger, place);
    await foreign.getByRole('alert').waitFor();

    await foreign.getByText('Select a conversation').waitFor();
    const byKey = await consoles().openWithKey(parley, person.key, place);
    await byKey.getByText('Sign in with your account to open that workspace.').waitFor();
  });
});

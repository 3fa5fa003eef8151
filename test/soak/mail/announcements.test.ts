import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailRow } from '../../../entities/mail/mail.entity.ts';
import { User } from '../../../entities/accounts/user.entity.ts';
import { Org } from '../../../entities/team/org.entity.ts';
import { announce } from '../../../scripts/cli/announce.ts';
import { startSharedParley, type TestOrg, type SharedParley } from '../../support/parley.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const NEWS =
  '# Meetings\n\nVisitors can **book** now:\n\n- [Read](https://parley.example.com/a?b&c)\n- <b>x</b>\n';

describe('parley announce', () => {
  let parley: SharedParley;
  let ada: TestOrg;
  let folder: string;

  before(async () => {
    parley = await startSharedParley();
    ada = await parley.buildOrg();
  });
  beforeEach(() => (folder = makeTemporaryFolder()));

  function write(name: string, text: string): string {
    const file = join(folder, name);
    writeFileSync(file, text);
    return file;
  }

  async function run(
    files: string[],
    options: { name?: string; isDryRun?: boolean } = {},
  ): Promise<string[]> {
    const lines: string[] = [];
    const { isDryRun = false, name } = options;
    await announce(parley.runtime.settings, { files, name, isDryRun }, (line) => lines.push(line));
    return lines;
  }

  const findEmail = async ({ userId }: TestOrg) =>
    (await parley.database.repository(User).findOneByOrFail({ id: userId })).email;
  const findAnnouncementMails = ({ userId }: TestOrg, name: string) =>
    parley.database.repository(MailRow).findBy({ userId, key: `announcement/${name}/${userId}` });

  async function readMail(reader: TestOrg, name: string) {
    const [row] = await findAnnouncementMails(reader, name);
    await parley.database.repository(MailRow).update(row!.id, { state: 'kept' });
    return (await parley.runtime.services.mail.capturedMails.find(parley.database, row!.id))!;
  }

  it('emails Markdown as text and HTML, with an unsubscribe link', async () => {
    await run([write('markup.md', NEWS)]);
    const { subject, text, html, headers } = await readMail(ada, 'markup');
    assert.equal(subject, 'Meetings');
    assert.match(text, /^Visitors can book now:\n\n- Read \(https:\/\/parley\.example\.com\/a\?b&c\)\n/);
    assert.match(
      html,
      /<p>Visitors can <strong>book<\/strong> now:<\/p><ul><li><a href="https:\/\/parley\.example\.com\/a\?b&amp;c">Read<\/a>/,
    );
    assert.ok(!html.includes('<b>x</b>'));
    assert.match(text, /Unsubscribe from product news: http/);
    assert.ok(headers['List-Unsubscribe']);
  });

  it('with --dry-run lists the recipients and sends nothing', async () => {
    const file = write('dry.md', NEWS);
    const lines = await run([file], { isDryRun: true });
    assert.ok(lines.includes(await findEmail(ada)));
    assert.match(lines.at(-1)!, /^“dry” would be sent to \d+ readers?\.$/);
    assert.deepEqual(await findAnnouncementMails(ada, 'dry'), []);
  });

  it('emails each reader once despite concurrent runs, and later runs email only new readers', async () => {
    const file = write('once.md', NEWS);
    const all = await Promise.all([run([file]), run([file]), run([file])]);
    const address = await findEmail(ada);
    assert.equal(all.flat().filter((line) => line === address).length, 1);
    const late = await parley.buildOrg();
    assert.deepEqual(await run([file]), [await findEmail(late), '“once” is queued for 1 reader.']);
    assert.deepEqual(await run([file]), ['“once” has already been sent to all recipients.']);
    // Delete the logged email, as after some time: the recipients of an announcement stay recorded.
    await parley.database.repository(MailRow).delete({ userId: ada.userId });
    assert.equal((await run([file])).length, 1);
    assert.equal((await findAnnouncementMails(late, 'once')).length, 1);
  });

  it('resumes a run killed between two batches, and skips excluded recipients', async () => {
    const people = await Promise.all([1, 2, 3].map(() => parley.buildOrg()));
    const [unwilling, unverified, refused] = people as [TestOrg, TestOrg, TestOrg];
    await parley.runtime.services.mail.emailPreferences.update(parley.database, unwilling.userId, {
      product: false,
    });
    await parley.database.repository(User).update(unverified.userId, { emailVerifiedAt: null });
    const { refusedAddresses } = parley.runtime.services.mail;
    await refusedAddresses.record(parley.database, await findEmail(refused), 'There is nobody.');
    const file = write('some.md', NEWS);
    const failing = parley.database.transaction(async (db) => {
      await parley.runtime.services.mail.announcements.sendBatch(db, {
        name: 'some',
        news: { subject: 'Meetings', body: 'Now.' },
        translations: {},
      });
      throw new Error('killed');
    });
    await assert.rejects(failing, /killed/);
    await run([file]);
    assert.equal((await findAnnouncementMails(ada, 'some')).length, 1);
    for (const person of people) assert.deepEqual(await findAnnouncementMails(person, 'some'), []);
  });

  it('uses the file for a reader’s language, if there is such a file', async () => {
    const [german, french] = [await parley.buildOrg(), await parley.buildOrg()];
    const setLanguage = ({ orgId }: TestOrg, language: string) =>
      parley.database.repository(Org).update(orgId, { settings: { default_language: language } });
    await Promise.all([setLanguage(german, 'de-AT'), setLanguage(french, 'fr')]);
    await run([write('both.md', NEWS), write('both.de.md', '# Termine\n\nJetzt buchbar.')]);
    const mail = await readMail(german, 'both');
    assert.equal(mail.subject, 'Termine');
    assert.match(mail.html, /<html lang="de"/);
    assert.equal((await readMail(french, 'both')).subject, 'Meetings');
  });

  it('refuses files without content, and refuses to run without a file for all other readers', async () => {
    await assert.rejects(run([write('empty.md', '# Only a subject\n')]), /needs a subject in its first line/);
    await assert.rejects(run([write('only.de.md', NEWS)]), /Specify one file for all recipients/);
    await assert.rejects(run([join(folder, 'missing.md')]), /missing\.md cannot be read/);
  });
});

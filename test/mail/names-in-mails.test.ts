import assert from 'node:assert/strict';
import { load } from 'cheerio';
import { simpleParser } from 'mailparser';
import { mailKinds, type MailTemplate } from '../../services/mail/rendering/mail-templates.ts';
import { mailSamples } from '../../services/mail/rendering/mail-samples.ts';
import { toMailValues } from '../../services/mail/rendering/mail-values.ts';
import { renderMail, composeSubject } from '../../services/mail/rendering/render-mail.ts';
import { visitorWords } from '../../services/mail/visitor-words.ts';
import { preventAutoLinking } from '../../services/mail/rendering/prevent-auto-linking.ts';

const HOSTILE =
  'Win at evil.example now, www.evil.com/a?b, http://evil.com, https://203.0.113.7/, HTTP://EVIL.COM, ' +
  'bob@evil.com, mailto:bob@evil.com,\r\nBcc: eve@evil.com\r\n\r\n' +
  ' evil.\u00ADcom, évil.中国, evil。com, a.b.evil.io:80';
const LINK = /^(link|\w+Link|url)$/;
/** Fields of emails with text that the team writes to visitors, and that may contain links. */
const OWN_WORDS = ['replies', 'ownWords', 'markdown'];
const OURS = 'https://parley.example.com/go?to=here';

/** Returns the links that a mail program detects in the plain text of an email. */
async function linksIn(text: string): Promise<string[]> {
  const { textAsHtml } = await simpleParser(
    Buffer.from(`Content-Type: text/plain; charset=utf-8\r\n\r\n${text}`),
  );
  const $ = load(textAsHtml!);
  return $('a')
    .map((_index, link) => $(link).attr('href'))
    .get();
}

describe('names in emails', () => {
  it('are escaped, so that mail programs do not turn them into links', async () => {
    assert.ok((await linksIn(HOSTILE)).length >= 6);
    assert.deepEqual(await linksIn(preventAutoLinking(HOSTILE)), []);
  });

  it('look the same after they are escaped, and stay unchanged if nothing in them resembles a link', () => {
    assert.equal(preventAutoLinking(HOSTILE).replaceAll('\u200C', ''), HOSTILE);
    assert.equal(preventAutoLinking(preventAutoLinking(HOSTILE)), preventAutoLinking(HOSTILE));
    for (const text of ['Dr. Ada O’Kafor, Jr.', 'Acme 2.0', '203.0.113.7', '2001:db8::7', 'Re: sales', '…'])
      assert.equal(preventAutoLinking(text), text);
  });

  it('leave no gap in a text if they are empty', () => {
    const values = { greeting: 'Hello,', intro: 'it is booked.', details: 'When: now', ownWords: '' };
    const others = {
      subject: 'Booked',
      botName: 'Acme',
      language: 'en',
      goOn: 'See it',
      link: OURS,
      note: 'No answers.',
      why: 'Because.',
    };
    const { text } = renderMail('booking_confirmed', { ...others, ...values });
    assert.equal(
      text,
      `Hello,\n\nit is booked.\n\nWhen: now\n\nSee it:\n${OURS}\n\nNo answers.\n\n--\nBecause.\n`,
    );
  });

  it('leave the address of a lead clickable', async () => {
    for (const [contact, isLinked] of [
      ['chidi.eze+1@example.com', true],
      ['chidi@example.com evil.com', false],
      ['chidi@evil.com/a', false],
      ['evil.com', false],
    ] as const) {
      const data = { ...mailSamples.lead_captured, contact, contactName: 'Chidi', email: contact };
      const values = toMailValues({ ...data, link: OURS, unsubscribeLink: OURS });
      assert.equal(renderMail('lead_captured', values).text.includes(contact), isLinked, contact);
    }
  });

  for (const name of ['Harbour Bikes '.repeat(20), 'www.harbour.example.com '.repeat(12)])
    it(`are truncated in a subject, which keeps its other words: ${name.slice(0, 20)}`, () => {
      const renderSubject = (template: MailTemplate, names: object) =>
        renderMail(template, toMailValues({ ...mailSamples[template], unsubscribeLink: OURS, ...names }))
          .subject;
      for (const words of Object.values(visitorWords)) {
        const subject = renderSubject('team_reply', { subject: composeSubject(words.subject, name) });
        assert.ok(subject.endsWith(words.subject('').trimStart()), subject);
        assert.ok(subject.replaceAll('\u200C', '').length <= 80, subject);
      }
      const [orgName, botName, inviterName] = [name, name, name];
      for (const [template, words, names] of [
        ['invitation', /^.+… invited you to join .+…$/, { orgName, inviterName }],
        ['invitation', /^Ada invited you to join .{40,}…$/, { orgName, inviterName: 'Ada' }],
        ['invitation_reminder', /^Reminder: .+… invited you to join .+…$/, { orgName, inviterName }],
        ['webhook_disabled', /^A webhook endpoint of .+… was disabled$/, { orgName }],
        ['content_failed', /^Documents of .+… could not be read$/, { botName }],
        ['usage_reached', /^.+… has used 80% of its monthly responses$/, { botName, percent: 80 }],
        ['workspace_deleted', /^The workspace .+… was deleted$/, { orgName }],
        ['ownership_transferred', /^You're now the owner of .+…$/, { orgName }],
      ] as const) {
        const subject = renderSubject(template, names);
        assert.match(subject, words);
        assert.ok(subject.replaceAll('\u200C', '').length <= 80, subject);
      }
    });

  for (const template of Object.keys(mailKinds) as MailTemplate[])
    it(`cannot end a line or become a link in ${template}: neither in its subject, nor in its text, nor in its HTML`, async () => {
      const names = Object.keys({ ...mailSamples[template], unsubscribeLink: '' });
      const chooseValue = (name: string) =>
        LINK.test(name) ? OURS : OWN_WORDS.includes(name) ? ['Hello'] : HOSTILE;
      const data = Object.fromEntries(names.map((name) => [name, chooseValue(name)]));
      const { subject, text, html } = renderMail(template, toMailValues(data));
      assert.doesNotMatch(subject, /[\r\n]/);
      const $ = load(html);
      const hrefs = $('a')
        .map((_index, link) => $(link).attr('href'))
        .get();
      $('style').remove();
      $('br').replaceWith('\n');
      const seen = [subject, text, $.root().text(), $('title').text()];
      const links = [...hrefs, ...(await Promise.all(seen.map(linksIn))).flat()];
      assert.deepEqual(new Set(links), new Set(links.length > 0 ? [OURS] : []));
      assert.equal(
        links.length > 0,
        names.some((name) => LINK.test(name) && text.includes(OURS)),
      );
    });

  for (const template of Object.keys(mailKinds) as MailTemplate[])
    it(`are followed by a capital letter after the greeting of ${template}`, () => {
      const values = toMailValues({ ...mailSamples[template], unsubscribeLink: OURS });
      const { text } = renderMail(template, values);
      const [first = '', second = ''] = text.split('\n\n');
      const body = first.startsWith('Hello') ? second : first;
      assert.match(body, /^\P{Ll}/u);
    });
});

import assert from 'node:assert/strict';
import { toMessageText, toPlainLine, type MessageContent } from '../../adapters/messaging/message-content.ts';
import { toTelegramText } from '../../adapters/messaging/telegram-text.ts';
import { toTemplateParameter } from '../../adapters/messaging/whatsapp-messenger.ts';
import { formatCount, languages, type Language } from '../../core/languages.ts';
import { newId } from '../../core/ids.ts';
import type { AlertFacts } from '../../repositories/alerts/alert-facts.repository.ts';
import { alertEvents } from '../../services/alerts/alert-events.ts';
import { alertWords } from '../../services/alerts/alert-words.ts';
import { composeAlerts } from '../../services/alerts/compose-alerts.ts';
import { composeDigest, type DigestFacts } from '../../services/alerts/digests/digest-text.ts';
import { digestWords } from '../../services/alerts/digests/digest-words.ts';
import {
  composeCode,
  composeConnectedReply,
  composeTest,
} from '../../services/alerts/messages/message-texts.ts';
import { messageWords } from '../../services/alerts/messages/message-words.ts';
import { assertCpuBelow } from '../support/cost.ts';

const NAME = '<b>*Ada*</b> _x_ [a](http://b) {count} `c` $& é 👋';
const LINK = 'https://parley.example.com/console#/inbox/0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b';
const at = new Date('2026-11-24T08:05:00Z');

/** Builds facts about the events of every kind, in which all names of people and bots are `text`. */
function buildFacts(text: string): AlertFacts {
  const row = (fields: object) => new Map([['x', { id: 'x', ...fields }]]) as never;
  const named = { name: text, email: text, phone: text };
  return {
    bots: row({ name: text }),
    conversations: row({ status: 'waiting_human', handoffReason: text, title: text, contactId: 'x' }),
    contacts: row(named),
    documents: row({ title: text, status: 'failed', errorMessage: text }),
    messages: row({ role: 'agent', content: text }),
    bookings: row({
      status: 'confirmed',
      hasConflict: true,
      startsAt: at,
      summary: text,
      attendeeName: text,
    }),
    webhooks: row({ url: LINK, isActive: false, lastError: text }),
    connections: row({ health: 'reconnect_needed', accountEmail: text, lastError: text }),
  };
}

const ids = Object.fromEntries(
  ['bot', 'conversation', 'contact', 'document', 'message', 'booking', 'webhook', 'connection'].map(
    (kind) => [`${kind}_id`, 'x'],
  ),
);

/** @param text every name that the alerts contain */
function alerts(language: Language, text: string): MessageContent {
  const severity = 'normal';
  const all = alertEvents.map(
    (name) => ({ id: newId(), name, ids, subject: name, severity, occurredAt: at }) as const,
  );
  const { content } = composeAlerts(all, {
    facts: buildFacts(text),
    clock: { language, timezone: 'Europe/Berlin' },
    label: text,
    unreadCount: 1_234_567,
    last: { cap: 2000, time: '8:00' },
    linkTo: () => LINK,
  });
  return content!;
}

function digest(language: Language, text: string, isOfHeld = false): MessageContent {
  const counts = Object.fromEntries(alertEvents.map((event) => [event, 1_234_567]));
  const five = <T>(each: T) => ({ count: 1000, first: Array<T>(5).fill(each) });
  const facts: DigestFacts = {
    name: text,
    label: text,
    timezone: 'America/Argentina/Buenos_Aires',
    link: LINK,
    period: isOfHeld ? null : { from: at, to: at },
    counts: isOfHeld ? {} : counts,
    before: counts,
    waiting: five({ botName: text, since: at }),
    bookings: five({ startsAt: at, summary: text }),
    held: counts,
  };
  return composeDigest(facts, language);
}

/** Builds an alert message of each kind. */
const buildMessages = (language: Language, text: string): MessageContent[] => [
  alerts(language, text),
  digest(language, text),
  digest(language, text, true),
  composeCode(language, '012345', 10),
  composeTest(language, text),
  { lines: [[{ text: composeConnectedReply({ name: text, language }) }]] },
];

for (const language of languages)
  describe(`alerts in the language ${language}`, () => {
    it('have a text for every event, with its values', () => {
      const { events, roles } = alertWords[language];
      const { nouns } = digestWords[language];
      for (const words of [events, roles, nouns]) {
        const texts = Object.values(words);
        assert.equal(new Set(texts).size, texts.length);
        for (const text of texts) assert.match(text, /^\p{L}.*\p{L}$/u);
      }
      if (language !== 'en')
        for (const event of alertEvents) {
          assert.notEqual(events[event], alertWords.en.events[event]);
          if (event !== 'message.created') assert.notEqual(nouns[event], digestWords.en.nouns[event]);
        }
      const { code, request, linkUsedUp } = messageWords[language];
      for (const text of [code, request(''), linkUsedUp]) assert.ok(text.length < 120 && text.length > 20);
      for (const message of buildMessages(language, 'Ada'))
        assert.doesNotMatch(toMessageText(message), /undefined|\bnull\b|NaN|\{| {2}|^.{0,19}$/s);
    });

    it('show names verbatim, and format only their own text', () => {
      for (const message of buildMessages(language, NAME)) {
        const { text, entities } = toTelegramText(message);
        const marked = entities.map(({ offset, length }) => text.slice(offset, offset + length));
        const runs = message.lines.flat().filter(({ isBold, link }) => isBold || link);
        assert.deepEqual(
          marked,
          runs.map((run) => run.text),
        );
        if (message.code === undefined) assert.ok(text.includes(NAME));
      }
      const bold = alerts(language, NAME)
        .lines.flat()
        .flatMap(({ isBold, text }) => (isBold ? [text] : []));
      for (const text of bold) assert.ok(Object.values<string>(alertWords[language].events).includes(text));
    });

    it('stay within the apps’ limits, even with the longest names', () => {
      const ordinary = 'A name as most are';
      for (const message of buildMessages(language, ordinary))
        assert.ok(!toTelegramText(message).text.endsWith('…'));
      for (const message of buildMessages(language, '𝒜'.repeat(10_000))) {
        assert.ok(toTelegramText(message).text.length <= 4096);
        const parameter = toTemplateParameter(message);
        assert.ok(parameter.length <= 700 && parameter.isWellFormed());
        assert.doesNotMatch(parameter, /[\n\t]| {4}/);
      }
    });
  });

describe('toTemplateParameter', () => {
  it('joins the lines of a message, and omits blank lines', () =>
    assert.equal(
      toTemplateParameter({ lines: [' a\t  b\r', '', ' \n', '\n c '].map(toPlainLine) }),
      'a b · c',
    ));

  it('reads a name of 200,000 blanks in linear time', () => {
    const message = { lines: [toPlainLine(`a${' '.repeat(200_000)}b`)] };
    assertCpuBelow(200, () => assert.equal(toTemplateParameter(message), 'a b'));
  });
});

describe('numbers in alerts', () => {
  it('use the plural form of the language', () => {
    const more = (language: Language) => [1, 2, 2000].map((count) => alertWords[language].more(count));
    assert.deepEqual(languages.map(more), [
      ['and 1 more alert', 'and 2 more alerts', 'and 2,000 more alerts'],
      ['und 1 weitere Meldung', 'und 2 weitere Meldungen', 'und 2.000 weitere Meldungen'],
      ['y 1 aviso más', 'y 2 avisos más', 'y 2000 avisos más'],
      ['et 1 autre alerte', 'et 2 autres alertes', 'et 2\u202f000 autres alertes'],
      ['e 1 altro avviso', 'e 2 altri avvisi', 'e 2000 altri avvisi'],
      ['en nog 1 melding', 'en nog 2 meldingen', 'en nog 2.000 meldingen'],
      ['e mais 1 aviso', 'e mais 2 avisos', 'e mais 2000 avisos'],
    ]);
    assert.deepEqual(
      (['en', 'fr', 'pt'] as const).map((language) =>
        formatCount(language, 0, { one: 'one', other: 'other' }),
      ),
      ['0 other', '0 one', '0 other'],
    );
  });

  it('of days and hours are in the policy’s time zone and the language', () => {
    const since = (language: Language) => toMessageText(digest(language, 'Acme')).split('\n')[1];
    assert.deepEqual(languages.map(since), [
      'Since Tue 24 Nov, 05:05 (America/Argentina/Buenos_Aires)',
      'Seit Di., 24. Nov., 05:05 (America/Argentina/Buenos_Aires)',
      'Desde: mar, 24 nov, 05:05 (America/Argentina/Buenos_Aires)',
      'Depuis : mar. 24 nov., 05:05 (America/Argentina/Buenos_Aires)',
      'Da: mar 24 nov, 05:05 (America/Argentina/Buenos_Aires)',
      'Sinds di 24 nov, 05:05 (America/Argentina/Buenos_Aires)',
      'Desde: terça, 24/11, 05:05 (America/Argentina/Buenos_Aires)',
    ]);
  });
});

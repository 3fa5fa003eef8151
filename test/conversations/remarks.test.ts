import assert from 'node:assert/strict';
import { recognizeRemark } from '../../core/conversations/remarks/recognize-remark.ts';
import { assertCpuBelow } from '../support/cost.ts';

/**
 * Returns the kind of remark that Parley recognizes in a message, with a question mark if the message is
 * misspelled.
 */
function recognize(message: string): string | null {
  const remark = recognizeRemark(message);
  return remark && `${remark.kind}${remark.isCertain ? '' : '?'}`;
}

describe('recognizeRemark', () => {
  describe('recognizes requests for a person', () => {
    for (const message of [
      'I want to talk to a person',
      'agent please',
      'Human',
      'Hi, can I speak with someone please?',
      'How do I talk to a human?',
      'Connect me to support',
      'could you please transfer me to a live agent',
      'I’d like to talk to a real person about my invoice',
      'This bot is useless, give me a human!!!',
      'I don’t want to talk to a bot',
      'Can a human help me?',
      'I need to talk to sales',
      'call me back please',
      'Rufen Sie mich bitte an',
      'kein Bot',
      'Ich möchte mit einem Menschen sprechen',
      'Kann ich bitte mit einem Mitarbeiter reden?',
      'Verbinden Sie mich mit dem Kundenservice.',
      'Je voudrais parler à quelqu’un',
      'Puis-je parler à un conseiller ?',
      'un humain svp',
      'Quiero hablar con una persona',
      '¿Puedo hablar con un agente?',
      'agente por favor',
      'Vorrei parlare con un operatore',
      'operatore per favore',
      'Ik wil met een medewerker spreken',
      'medewerker graag',
      'Quero falar com um atendente',
      'Posso falar com alguém?',
    ])
      it(message, () => assert.equal(recognize(message), 'wants_person'));

    for (const message of [
      'i wnat to tlak to a human',
      'speek to somone',
      'Ich will mit einem Mitarbeter sprechen',
    ])
      it(`${message} (misspelled)`, () => assert.equal(recognize(message), 'wants_person?'));
  });

  describe('recognizes small talk', () => {
    for (const [message, expected] of [
      ['Hello!', 'greeting'],
      ['heyyyy', 'greeting'],
      ['Grüß Gott', 'greeting'],
      ['Hola, ¿qué tal?', 'greeting'],
      ['Hi, how are you today?', 'how_are_you'],
      ['tudo bem?', 'how_are_you'],
      ['thank you so much', 'thanks'],
      ['Danke schön', 'thanks'],
      ['ok thanks', 'thanks'],
      ['thnaks', 'thanks?'],
      ['Danke, tschüss!', 'goodbye'],
      ['Tot ziens', 'goodbye'],
      ['ok', 'acknowledgement'],
      ['asdf', 'acknowledgement'],
      ['You are stupid.', 'complaint'],
      ['Ça ne m’aide pas', 'complaint'],
      ['Hello, I need help', 'asks_abilities'],
      ['was kannst du?', 'asks_abilities'],
      ['Who made you?', 'asks_maker'],
      ['Chi ti ha creato?', 'asks_maker'],
      ['no thanks', 'goodbye'],
      ['Huh?', 'complaint'],
      ['Je ne comprends pas', 'complaint'],
      ['tell me a joke', 'asks_abilities'],
      ['你好', 'greeting'],
      ['sdfghjkl', 'unclear?'],
      ['Are you a bot?', 'asks_if_bot'],
      ['Is anyone there?', 'asks_if_bot'],
      ['Ist da jemand?', 'asks_if_bot'],
      ['Are you really a human?', 'asks_if_bot'],
      ['Es-tu un robot ?', 'asks_if_bot'],
      ['👍', 'unclear'],
      ['???', 'unclear'],
    ] as const)
      it(`of the kind ${expected}: ${message}`, () => assert.equal(recognize(message), expected));
  });

  describe('leaves questions to the documents', () => {
    for (const message of [
      'What does an insurance agent cost?',
      'Do you sell human hair?',
      'Is anyone available on Sunday?',
      'Can someone help me with my order?',
      'I do not want to talk to a person',
      'What is a support agent?',
      'I need an agent for selling my house',
      'Hello, when do you open?',
      'thanks, and what about the price?',
      'Hallo, was kostet das?',
      'Mensch ärgere dich nicht kaufen',
      'personal trainer',
      'Ola Nordmann',
      'M22',
    ])
      it(message, () => assert.equal(recognize(message), null));
  });

  it('returns all languages in which a message has the meaning', () => {
    assert.deepEqual(recognizeRemark('Hallo')?.languages, ['de', 'nl']);
    assert.deepEqual(recognizeRemark('Gracias')?.languages, ['es']);
  });

  it('takes less than 20 ms for messages that match most of a pattern', () => {
    const patterns = ['i want to talk to a ', 'ich bitte gern ', 'un une le la ', 'please ', 'wrods tlak '];
    const messages = patterns.map((text) => text.repeat(1000 / text.length));
    assertCpuBelow(20, () => messages.map((message) => recognizeRemark(message)));
  });
});

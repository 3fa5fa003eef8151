import assert from 'node:assert/strict';
import { splitQuestion } from '../../../core/answers/question-parts.ts';

describe('the parts of a message', () => {
  for (const [message, ...parts] of [
    [
      'What are your opening hours and how much is parking?',
      'What are your opening hours',
      'how much is parking?',
    ],
    ['When are you open? How much is parking?', 'When are you open?', 'How much is parking?'],
    ['When are you open? And how much is parking?', 'When are you open?', 'how much is parking?'],
    ['When does the museum open and is it free?', 'When does the museum open', 'is it free? museum open'],
    ['when are you open\nhow much is parking', 'when are you open', 'how much is parking'],
    ['Where can I park, and can I pay by card?', 'Where can I park', 'can I pay by card?'],
    [
      'I arrive on Sunday. Are you open? Is there a car park nearby?',
      'I arrive on Sunday. Are you open?',
      'Is there a car park nearby?',
    ],
    [
      'Wann haben Sie geöffnet und wie viel kostet das Parken?',
      'Wann haben Sie geöffnet',
      'wie viel kostet das Parken?',
    ],
    [
      'Können Sie mir sagen, wann das Museum öffnet und was der Eintritt kostet?',
      'Können Sie mir sagen, wann das Museum öffnet',
      'was der Eintritt kostet?',
    ],
    [
      'Wann ist das Museum geöffnet und darf mein Hund mit hinein?',
      'Wann ist das Museum geöffnet',
      'darf mein Hund mit hinein?',
    ],
    [
      'Quels sont vos horaires et combien coûte le parking ?',
      'Quels sont vos horaires',
      'combien coûte le parking ?',
    ],
    [
      '¿Cuál es su horario y cuánto cuesta el aparcamiento?',
      '¿Cuál es su horario',
      'cuánto cuesta el aparcamiento?',
    ],
    [
      'Quali sono gli orari di apertura e quanto costa il parcheggio?',
      'Quali sono gli orari di apertura',
      'quanto costa il parcheggio?',
    ],
    [
      'Qual é o horário de funcionamento e quanto custa o estacionamento?',
      'Qual é o horário de funcionamento',
      'quanto custa o estacionamento?',
    ],
    [
      'Wat zijn de openingstijden en hoeveel kost parkeren?',
      'Wat zijn de openingstijden',
      'hoeveel kost parkeren?',
    ],
    ['你们的营业时间是什么，停车多少钱？', '你们的营业时间是什么', '停车多少钱？'],
    ['营业时间是几点和停车费是多少？', '营业时间是几点', '停车费是多少？'],
    ['你们几点开门？停车多少钱？', '你们几点开门？', '停车多少钱？'],
    [
      'What does a pass cost, where is the kiosk and when does it close?',
      'What does a pass cost, where is the kiosk',
      'when does it close? pass cost kiosk',
    ],
  ])
    it(`are ${parts.length} for “${message}”`, () => assert.deepEqual(splitQuestion(message!), parts));

  for (const message of [
    'What does a day pass cost?',
    'How and when can I cancel my booking?',
    'Do you sell bread and butter?',
    'Wie und wann kann ich stornieren?',
    'Ich habe ein Rad gemietet und es ist kaputt. Was soll ich tun?',
    'What is the difference between a day pass and a weekend pass?',
    'I lost my card and I need a new one.',
    'Puedo cancelar mi reserva y recuperar mi dinero?',
    'Je voudrais annuler ma commande et être remboursé',
    '我想取消订单和退款',
    '你们有自行车和头盔吗？',
    'Really? Why?',
    'When? Where? Who? What? How?',
    'Hello!',
    '',
  ])
    it(`are the whole message for “${message}”`, () => assert.deepEqual(splitQuestion(message), [message]));

  it('are the whole message if it is long', () => {
    const message = `${'The bike was broken. '.repeat(40)}What shall I do? Who pays?`;
    assert.deepEqual(splitQuestion(message), [message]);
  });
});

import assert from 'node:assert/strict';
import { hasTopic, extractSubject } from '../../core/analytics/question-subject.ts';
import { measureSimilarity, selectSearchKeys } from '../../core/analytics/same-question.ts';
import { readQuestion } from '../../services/analytics/read-question.ts';

const toWords = (text: string, names = '') => ({
  lexemes: text.split(' ').filter(Boolean),
  names: names.split(' ').filter(Boolean),
});

describe('measureSimilarity', () => {
  for (const [a, b, expected] of [
    ['reset password', 'reset password', 1],
    ['reset password', 'password reset', 1],
    // Questions of two words must have the same words.
    ['reset password', 'reset password account', 0],
    ['open hour', 'open', 0],
    // A longer question may have an additional word.
    ['long deliver austria', 'long deliver austria take', 0.75],
    ['long deliver austria', 'long deliver austria take usual', 0.6],
    ['long deliver austria', 'long deliver austria take usual week', 0],
    // Longer questions may not differ in a word.
    ['open hour shop berlin', 'open hour shop paris', 0],
    ['open hour shop sunday main station berlin', 'open hour shop sunday main station paris', 0],
    // A number is never a mere additional word.
    ['mean error code', 'mean error code 22', 0],
    ['', '', 0],
  ] as const)
    it(`returns ${expected} for “${a}” and “${b}”`, () => {
      assert.equal(
        measureSimilarity(toWords(a), toWords(b), () => false),
        expected,
      );
      assert.equal(
        measureSimilarity(toWords(b), toWords(a), () => false),
        expected,
      );
    });

  it('counts the names of both questions, whichever question marks them as names', () => {
    const [some, more] = [toWords('open hour shop'), toWords('open hour shop berlin')];
    assert.equal(
      measureSimilarity(some, more, () => false),
      0.75,
    );
    assert.equal(
      measureSimilarity(some, { ...more, names: ['berlin'] }, () => false),
      0,
    );
    assert.equal(
      measureSimilarity(some, more, (lexeme) => lexeme === 'berlin'),
      0,
    );
  });

  it('selects the rarest words and similar lengths for the search', () => {
    const counts = new Map([
      ['open', 90],
      ['hour', 80],
      ['shop', 3],
      ['berlin', 3],
    ]);
    const countLexeme = (lexeme: string) => counts.get(lexeme) ?? 0;
    assert.deepEqual(selectSearchKeys(['open', 'hour', 'shop', 'berlin'], countLexeme), [
      { lexeme: 'berlin', min: 5, max: 6 },
      { lexeme: 'berlin', min: 3, max: 3 },
      { lexeme: 'shop', min: 3, max: 3 },
      { lexeme: 'hour', min: 3, max: 3 },
    ]);
    assert.deepEqual(selectSearchKeys(['open', 'hour', 'new'], countLexeme), [
      { lexeme: 'new', min: 4, max: 5 },
    ]);
    assert.deepEqual(selectSearchKeys(['open', 'hour'], countLexeme), []);
    assert.deepEqual(
      selectSearchKeys('a b c d e f g h i j'.split(' '), countLexeme).map(({ min, max }) => [min, max]),
      [
        [11, 16],
        [6, 9],
        [6, 9],
        [6, 9],
      ],
    );
  });
});

describe('the terms of a question', () => {
  const TURN = { optionId: null, followsInputRequest: false, searchedDocuments: false, isFollowUp: false };
  const readContentTerms = (content: string, turn: object = {}) =>
    readQuestion({ ...TURN, content, ...turn })
      ?.content.replaceAll(/[\s\p{P}]+/gu, ' ')
      .trim() ?? null;

  it('omit greetings, thanks, addresses and phone numbers', () => {
    for (const [message, subject] of [
      ['Hi! What are your opening hours?', 'What are your opening hours?'],
      ['Guten Tag, ich möchte gern mein Abo kündigen.', 'mein Abo kündigen.'],
      ['My email is ada@example.com, my number +49 30 1234567', 'My email is   my number'],
      ['Thanks a lot', ''],
    ] as const)
      assert.equal(extractSubject(message).replaceAll(/\s+/g, ' '), subject.replaceAll(/\s+/g, ' '), message);
  });

  it('are empty for small talk, and for a message without content words', () => {
    for (const message of [
      'Hi',
      'hello there!',
      'Thank you',
      'ok',
      'Yes please',
      'no',
      '👍',
      '42',
      'What?',
      'Danke schön',
      'Ja',
      'Merci beaucoup',
      'Gracias',
      '你好',
    ])
      assert.equal(readContentTerms(message), null, message);
    assert.equal(hasTopic(['ok', 'refund']), true);
  });

  it('are empty for an answer to a flow’s prompt, unless the documents were searched', () => {
    assert.equal(readContentTerms('A refund', { optionId: 'refund' }), null);
    assert.equal(readContentTerms('Ada Lovelace', { followsInputRequest: true }), null);
    assert.equal(
      readContentTerms('Which helmets fit?', { followsInputRequest: true, searchedDocuments: true }),
      'helmets fit',
    );
  });

  it('are empty for a message that depends on an earlier message', () => {
    assert.equal(readContentTerms('and for two?', { isFollowUp: true }), null);
    assert.equal(readContentTerms('And for children?'), 'children');
    assert.equal(
      readContentTerms('How long does it take to ship to Norway?', { isFollowUp: true }),
      'take ship Norway',
    );
  });

  it('include capitalized words as names, unless all words are capitalized', () => {
    const readQuestionNames = (content: string) => readQuestion({ ...TURN, content })!.names;
    assert.equal(readQuestionNames('When do you open in Berlin?'), 'berlin');
    assert.equal(readQuestionNames('OPENING HOURS IN BERLIN'), '');
    assert.equal(readQuestionNames('What does M22 mean?'), 'm22');
  });
});

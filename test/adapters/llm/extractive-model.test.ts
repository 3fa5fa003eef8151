import assert from 'node:assert/strict';
import { answerTexts } from '../../../core/conversations/answer-texts.ts';
import { ExtractiveModel } from '../../../core/answers/extractive-model.ts';
import type { Passage } from '../../../core/answers/chat-model.ts';
import { buildPassage, buildRequest, collectAnswer } from './support.ts';
import { assertAsyncCpuBelow } from '../../support/cost.ts';

const shipping = buildPassage({
  title: 'Shipping',
  text: 'We ship on every working day. A parcel takes three days to Spain. Ask us about express delivery.',
});
const returns = buildPassage({
  title: 'Returns',
  headings: ['Returns', 'How it works'],
  text: 'You can send an item back within **30 days**. The [refund](https://example.com/refund) arrives a week later, e.g. on your card.',
});

const answer = async (question: string, passages: Passage[], fallback?: string) =>
  collectAnswer(
    new ExtractiveModel(),
    buildRequest({
      messages: [{ role: 'user', content: question }],
      passages,
      ...(fallback !== undefined && { fallback }),
    }),
  );
const text = async (question: string, ...passages: Passage[]) => (await answer(question, passages)).text;

describe('ExtractiveModel', () => {
  it('quotes the matching sentence, with the number of its passage', async () => {
    assert.equal(
      await text('How long does a parcel to Spain take?', returns, shipping),
      'A parcel takes three days to Spain. [2]',
    );
  });

  it('quotes an answer to each question of a message', async () => {
    assert.equal(
      await text('How long does a parcel to Spain take and when do I get refunds?', returns, shipping),
      'A parcel takes three days to Spain. [2]\n\nThe refund arrives a week later, e.g. on your card. [1]',
    );
  });

  it('strips markup, matches inflections, and does not end a sentence at an abbreviation', async () => {
    assert.equal(
      await text('When do I get refunds?', shipping, returns),
      'The refund arrives a week later, e.g. on your card. [2]',
    );
  });

  it('counts the headings above a text as its subject', async () => {
    assert.equal(
      await text('How do returns work?', shipping, returns),
      'You can send an item back within 30 days. The refund arrives a week later, e.g. on your card. [2]',
    );
  });

  it('quotes the steps of a list whole and in order, with the sentence that introduces it', async () => {
    const steps = buildPassage({
      text: 'Everyone can do it. To reset your password:\n\n1. Open **Settings**.\n2. Choose *Security*.\n3. Press Reset password.\n\nThat is all.',
    });
    assert.equal(
      await text('How do I reset my password?', steps),
      'To reset your password:\n\n1. Open Settings.\n2. Choose Security.\n3. Press Reset password. [1]',
    );
  });

  it('quotes the row of a table below its header', async () => {
    const table = buildPassage({
      text: '| Plan | Price |\n| --- | --- |\n| Starter | 5 euros |\n| Family | 12 euros |\n| School | on request |',
    });
    assert.equal(
      await text('What does the Family plan cost?', table),
      '| Plan | Price |\n| --- | --- |\n| Family | 12 euros |\n\n[1]',
    );
  });

  it('counts the words of a table’s header as words of its rows', async () => {
    const table = buildPassage({
      text: '| Station | Remarks |\n| --- | --- |\n| Fish Market | Closed on Wednesday from 05:00 |\n| Salt Quay | Always open |',
    });
    const news = buildPassage({
      text: 'Old House (15) is closed until 30 June; the nearest stations are Fish Market (7) and Salt Quay (16).',
    });
    const said = await text('When is the Fish Market station closed?', news, shipping, returns, table);
    assert.match(said, /\| Fish Market \| Closed on Wednesday from 05:00 \|/);
  });

  it('quotes the command that a sentence announces', async () => {
    const manual = buildPassage({
      text: 'The cache keeps packages. To empty the cache, run:\n\n```sh\nshop cache clean\n```\n\nNothing else is touched.',
    });
    assert.equal(
      await text('How do I empty the cache?', manual),
      'To empty the cache, run:\n\n```sh\nshop cache clean\n```\n\n[1]',
    );
  });

  it('quotes the answer of an FAQ entry, not its question', async () => {
    const faq = buildPassage({
      text: 'Can I bring my dog? Pets are welcome on the ground floor. We open at nine.',
    });
    assert.match(await text('Can I bring a dog?', faq), /^Pets are welcome on the ground floor\./);
  });

  it('omits sentences that the passage’s edges have cut', async () => {
    const cut = buildPassage({
      text: 'the warranty as described. The warranty lasts two years. A longer warranty of five years for the',
    });
    assert.equal(await text('How long is the warranty?', cut), 'The warranty lasts two years. [1]');
  });

  it('answers in Chinese, Japanese and Korean', async () => {
    const chinese = buildPassage({ text: '本店周一休息。您可以在30天内退货。运费由我们承担。' });
    assert.equal(await text('如何退货？', chinese), '您可以在30天内退货。 [1]');
    const japanese = buildPassage({
      text: '月曜日は休業です。返品は30日以内に受け付けます。送料は無料です。',
    });
    assert.equal(await text('返品はできますか？', japanese), '返品は30日以内に受け付けます。 [1]');
    const korean = buildPassage({
      text: '월요일은 쉽니다. 환불은 30일 이내에 가능합니다. 배송비는 무료입니다.',
    });
    assert.equal(await text('환불을 어떻게 받나요?', korean), '환불은 30일 이내에 가능합니다. [1]');
  });

  it('finds compounds and inflections in German', async () => {
    const german = buildPassage({ text: 'Wir öffnen um neun. Die Versandkosten betragen fünf Euro.' });
    assert.equal(
      await text('Was sind die Kosten für den Versand?', german),
      'Die Versandkosten betragen fünf Euro. [1]',
    );
  });

  it('quotes the sentence in the language of the question if a page has two languages', async () => {
    const prices = buildPassage({
      text: 'Tagesticket (day ticket): it costs 12 euros for all of you and for your bikes.\n\nEs gilt: das Tagesticket kostet 12 Euro für alle und auch für die Räder.',
    });
    assert.equal(
      await text('Was kostet das Tagesticket für alle?', prices),
      'Es gilt: das Tagesticket kostet 12 Euro für alle und auch für die Räder. [1]',
    );
  });

  it('does not quote other passages only because their document has a matching title', async () => {
    const title = 'Warranty';
    assert.equal(
      await text(
        'How long is the warranty?',
        buildPassage({ title, text: 'Parts and labour are covered for 36 months.' }),
        buildPassage({ title, text: 'An inspection costs 49 euros at the service desk.' }),
      ),
      'Parts and labour are covered for 36 months. [1]',
    );
  });

  it('never repeats text that overlapping passages share', async () => {
    const copy = buildPassage({ chunkId: 'chunk-2', text: shipping.text });
    assert.equal(
      await text('How long does a parcel to Spain take?', shipping, copy),
      'A parcel takes three days to Spain. [1]',
    );
  });

  it('does not take reference numbers in a text for citations', async () => {
    const wiki = buildPassage({ text: 'The tower is 330 metres high.[2] It opened in 1889.[14]' });
    assert.equal(await text('How high is the tower?', wiki), 'The tower is 330 metres high. [1]');
  });

  it('omits comments, footnote marks and the brackets of references', async () => {
    const manual = buildPassage({
      text: '<!-- YAML\nadded: v1 tower\n-->\n[^note]: The [`tower`][] is [very high][heights].[^a]\n',
    });
    assert.equal(await text('How high is the tower?', manual), 'The `tower` is very high. [1]');
  });

  it('does not take the number of a list item for a number in its text', async () => {
    const list = buildPassage({
      text: '7. Sockets do not work on Windows.\n\nWindows 7 is not supported since version 14.',
    });
    assert.equal(
      await text('Is Windows 7 supported?', list),
      'Windows 7 is not supported since version 14. [1]',
    );
  });

  it('returns the fallback message, or that it found nothing, if the passages are about something else', async () => {
    assert.equal(await text('Who won the World Cup in 1998?', shipping), answerTexts('en').fallback);
    assert.equal((await answer('Who is Ada?', [shipping], 'Please call us.')).text, 'Please call us.');
    assert.equal((await answer('Anything?', [], 'Please call us.')).text, 'Please call us.');
  });

  it('quotes no weak matches for a strict bot', async () => {
    const shop = buildPassage({
      title: 'Shop',
      text: 'We repair city bicycles. Our shop is near the harbour.',
    });
    const said = async (question: string, isStrict: boolean) =>
      (
        await collectAnswer(
          new ExtractiveModel(),
          buildRequest({ messages: [{ role: 'user', content: question }], passages: [shop], isStrict }),
        )
      ).text;
    for (const question of ['Do you repair phones?', 'How old is your shop?']) {
      assert.match(await said(question, false), /\[1\]$/, question);
      assert.equal(await said(question, true), answerTexts('en').fallback, question);
    }
    assert.equal(await said('Do you repair bicycles?', true), 'We repair city bicycles. [1]');
    assert.equal(await said('Where is the shop?', true), 'Our shop is near the harbour. [1]');
  });

  it('streams in steps, counts no tokens, and returns the same answer to the same question', async () => {
    const first = await answer('How do returns work?', [shipping, returns]);
    assert.ok(first.pieces.length >= 2);
    assert.equal(first.usage, null);
    assert.deepEqual(await answer('How do returns work?', [shipping, returns]), first);
  });

  it('takes less than 10 s of CPU time for the longest question and hostile passages', async () => {
    const words = Array.from({ length: 3_000 }, (_, index) => `word${index}`).join(' ');
    const hostile = ['a'.repeat(20_000), '*'.repeat(20_000), '[('.repeat(10_000), '| '.repeat(10_000), words];
    const passages = hostile.map((content) => buildPassage({ text: content }));
    await assertAsyncCpuBelow(10_000, () => text(words, ...passages));
  });
});

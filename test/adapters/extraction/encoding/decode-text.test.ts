import assert from 'node:assert/strict';
import iconv from 'iconv-lite';
import { describe, it } from 'mocha';
import {
  decodeMarkup,
  decodeText,
  type TextHints,
} from '../../../../adapters/extraction/encoding/decode-text.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { assertCpuBelow } from '../../../support/cost.ts';

const encode = (text: string, table: string) => iconv.encode(text, table);
const join = (...parts: (string | Uint8Array)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)));
const byte = (...values: number[]) => Uint8Array.from(values);
const text = (bytes: Uint8Array, hints?: TextHints) => decodeText(bytes, hints).text;

/** Asserts that bytes are decoded as expected, without a notice of uncertainty. */
function assertCertain(bytes: Uint8Array, expected: string, hints?: TextHints) {
  const { text: decoded, notice } = decodeText(bytes, hints);
  assert.deepEqual({ text: decoded, notice }, { text: expected, notice: undefined });
}

const prose = {
  russian: 'Доставка занимает три дня. Возврат возможен в течение тридцати дней после покупки товара.',
  greek: 'Η παράδοση διαρκεί τρεις ημέρες και κοστίζει πέντε ευρώ.',
  hebrew: 'המשלוח אורך שלושה ימים ועולה חמישה שקלים.',
  japanese: '配送には三日かかります。返品は三十日以内にお願いします。',
  chinese: '送货需要三天，三十天内可以退货。',
  taiwanese: '送貨需要三天，三十天內可以退貨。',
  korean: '배송은 사흘이 걸리며 삼십일 안에 반품할 수 있습니다.',
  thai: 'การจัดส่งใช้เวลาสามวันและคืนสินค้าได้ภายในสามสิบวัน',
  arabic: 'يستغرق التوصيل ثلاثة أيام ويمكن إرجاع البضاعة خلال ثلاثين يوما.',
  turkish: 'Teslimat üç gün sürer, iade için şubeye başvurunuz. Ürünler değiştirilebilir.',
  polish: 'Dostawa trwa trzy dni. Zwrot jest możliwy w ciągu trzydziestu dni, także w święta.',
  german: 'Die Lieferung dauert drei Tage. Für größere Möbel über 50 kg fällt eine Gebühr an.',
};

describe('decodeText', () => {
  const samples: [string, string][] = [
    ...['win1251', 'koi8-r', 'iso88595', 'cp866', 'maccyrillic', 'cp855'].map((table): [string, string] => [
      table,
      prose.russian,
    ]),
    ...['win1253', 'iso88597'].map((table): [string, string] => [table, prose.greek]),
    ...['win1255', 'iso88598', 'cp862'].map((table): [string, string] => [table, prose.hebrew]),
    ...['shiftjis', 'eucjp'].map((table): [string, string] => [table, prose.japanese]),
    ['gbk', prose.chinese],
    ['gb18030', prose.chinese],
    ['big5', prose.taiwanese],
    ['cp949', prose.korean],
    ['cp874', prose.thai],
    ...['win1256', 'iso88596'].map((table): [string, string] => [table, prose.arabic]),
    ['win1254', prose.turkish],
    ...['win1250', 'iso88592', 'cp852'].map((table): [string, string] => [table, prose.polish]),
    ...['win1252', 'macroman', 'cp850'].map((table): [string, string] => [table, prose.german]),
    ...['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'].map((table): [string, string] => [
      table,
      prose.german,
    ]),
    ['utf-16le', `${prose.japanese}\n`],
  ];
  for (const [table, sample] of samples) {
    it(`detects ${table} in “${sample.slice(0, 20)}”`, () => {
      assert.equal(text(encode(sample, table)), sample);
    });
  }

  it('detects the encoding of short tables', () => {
    const tables: [string, string][] = [
      ['shiftjis', 'Hinge品名,価格\nりんご,100\n'],
      ['shiftjis', 'ｺｰﾋｰ,100\nｹｰｷ,200\n'],
      ['eucjp', '商品,価格\nお茶,100\n'],
      ['gbk', '名称;数量\n螺丝;5\n'],
      ['gbk', '联通,5\n'],
      ['big5', '品名,價格\n蘋果,5\n'],
      ['cp949', '이름;가격\n커피;5\n'],
      ['win1251', 'Товар;Цена\nЧай;5\nКофе;7\n'],
      ['cp866', 'Товар;Цена\nЧай;5\nКофе;7\n'],
      ['maccyrillic', 'Товар;Цена\nЧай;5\nКофе;7\n'],
      ['win1253', 'Είδος;Τιμή\nΚαφές;3\nΤσάι;2\n'],
      ['win1255', 'מוצר,מחיר\nתה,3\nקפה,5\n'],
      ['win1252', 'Größe;Preis\nFür Möbel;5 €\n'],
      ['macroman', 'Größe;Preis\nFür Möbel;5\n'],
      ['win1252', 'Price;5 £\n'],
    ];
    for (const [table, sample] of tables) assert.equal(text(encode(sample, table)), sample, table);
  });

  it('detects the encoding of text in capitals', () => {
    const prices = 'ЦЕНЫ НА БИЛЕТЫ\nВЗРОСЛЫЙ;800\nДЕТСКИЙ;400\n';
    for (const table of ['win1251', 'koi8-r', 'cp866', 'maccyrillic'])
      assert.equal(text(encode(prices, table)), prices, table);
    const greek = 'ΤΙΜΕΣ ΕΙΣΙΤΗΡΙΩΝ\nΕΝΗΛΙΚΕΣ;8\n';
    for (const table of ['win1253', 'iso88597']) assert.equal(text(encode(greek, table)), greek, table);
  });

  it('detects the encoding of a few Chinese and Japanese characters', () => {
    const words: [string, string][] = [
      ['gbk', '密码重置'],
      ['eucjp', '送料無料'],
      ['eucjp', '東京都港区芝公園'],
      ['eucjp', 'ﾃｽﾄ用ﾃﾞｰﾀ,ｶﾀｶﾅ\n'],
      ['shiftjis', 'ﾃｽﾄ用ﾃﾞｰﾀ,ｶﾀｶﾅ\n'],
    ];
    for (const [table, sample] of words) assert.equal(text(encode(sample, table)), sample, table);
  });

  it('detects UTF-16 without a byte order mark, spaces or digits', () => {
    for (const sample of ['Цена', 'Τιμή', 'こんにちは、世界。', 'שלום'])
      for (const table of ['utf-16le', 'utf-16be']) assert.equal(text(encode(sample, table)), sample, table);
  });

  it('uses the language of the page or bot to choose the encoding of a few letters', () => {
    const tokyo = encode('東京都,100\n大阪府,200\n', 'eucjp');
    assert.equal(text(tokyo, { language: 'ja' }), '東京都,100\n大阪府,200\n');
    const page = join('<html lang="el"><p>', encode('Άρτος', 'iso88597'));
    assert.equal(decodeMarkup(page).text, '<html lang="el"><p>Άρτος');
  });

  it('decodes text as UTF-8 despite a few invalid bytes', () => {
    assertCertain(join('Größe für Äpfel\nRest ', byte(0xc3), ';6'), 'Größe für Äpfel\nRest \ufffd;6');
    assertCertain(
      join('Der Weg ist schön und kürzer', byte(0xe2, 0x80)),
      'Der Weg ist schön und kürzer\ufffd',
    );
    assertCertain(join('Zwroty w ciągu trzydziestu dni', byte(0xe9)), 'Zwroty w ciągu trzydziestu dni\ufffd');
    const declared = { mimeType: 'text/html; charset=utf-8' };
    assertCertain(join('Größe ', byte(0xfc), ' m'), 'Größe \ufffd m', declared);
  });

  it('decodes text in a multi-byte encoding despite an invalid byte', () => {
    const lines = [prose.chinese, prose.japanese, prose.korean].map(
      (sample, index) => [encode(sample, ['gbk', 'shiftjis', 'cp949'][index]!), sample] as const,
    );
    for (const [bytes, sample] of lines) {
      const decoded = text(join(bytes, byte(0x84), '\n', bytes));
      assert.deepEqual(decoded.split(/\ufffd?\n/u), [sample, sample]);
    }
  });

  it('names the guessed encoding in the notice if it is uncertain', () => {
    const { encoding, notice } = decodeText(encode('Чай;5\n', 'koi8-r'));
    assert.equal(
      notice,
      `The encoding of the text is uncertain: it was read as ${encoding}. If some letters are wrong, save the file as UTF-8, or add it again with the name of its encoding.`,
    );
  });

  it('uses the encoding that the owner named unless the text begins with a byte order mark', () => {
    const bytes = encode('Łóżko', 'cp852');
    assertCertain(bytes, 'Łóżko', { encoding: 'IBM852', mimeType: 'text/plain; charset=utf-8' });
    assertCertain(join('\ufeffGröße'), 'Größe', { encoding: 'windows-1251' });
  });

  it('reports bytes that are probably not in the encoding that the owner named', () => {
    const wrong: [Uint8Array, string][] = [
      [join(prose.russian), 'windows-1251'],
      [join(prose.japanese), 'big5'],
      [join(prose.german.slice(0, 20)), 'utf-16le'],
      [encode(prose.russian, 'win1251'), 'utf-8'],
      [encode(prose.russian, 'win1251'), 'shift_jis'],
      [encode(prose.russian, 'utf-16le'), 'windows-1251'],
    ];
    for (const [bytes, encoding] of wrong) {
      assert.equal(
        decodeText(bytes, { encoding }).notice,
        `The text does not seem to be in ${encoding}, the specified encoding. If some letters are wrong, add the document again with a different encoding.`,
      );
    }
    const right: [Uint8Array, string, string][] = [
      [join('Plain text'), 'windows-1251', 'Plain text'],
      [encode('Ä 5', 'latin1'), 'latin1', 'Ä 5'],
      [encode(prose.chinese, 'utf-16be'), 'utf-16be', prose.chinese],
      [join(prose.german, byte(0xff)), 'utf-8', `${prose.german}\ufffd`],
    ];
    for (const [bytes, encoding, expected] of right) assertCertain(bytes, expected, { encoding });
  });

  it('uses the declared encoding unless the bytes contradict it', () => {
    const charset = (label: string) => ({ mimeType: `text/plain; charset="${label}"` });
    assertCertain(encode('Цена', 'koi8-r'), 'Цена', charset('KOI8-R'));
    assertCertain(join('Größe'), 'Größe', charset('iso-8859-1'));
    assertCertain(join('Größe'), 'Größe', charset('utf-16'));
    assertCertain(join('Größe'), 'Größe', charset('ascii7'));
    assertCertain(encode(prose.russian, 'win1251'), prose.russian, charset('utf-8'));
    assertCertain(encode(prose.russian, 'win1251'), prose.russian, charset('windows-1252'));
    assertCertain(encode(prose.japanese, 'eucjp'), prose.japanese, charset('shift_jis'));
    assertCertain(encode('GRÖSSE ÄNDERN ÜBERALL', 'latin1'), 'GRÖSSE ÄNDERN ÜBERALL', charset('latin1'));
  });

  it('uses the encoding of a byte order mark, except of a UTF-8 mark before bytes that are not UTF-8', () => {
    for (const table of ['utf-8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be', 'gb18030']) {
      assertCertain(encode('\ufeffGröße 茶', table), 'Größe 茶');
    }
    assertCertain(join(byte(0xef, 0xbb, 0xbf), encode(prose.russian, 'win1251')), prose.russian);
  });

  it('reads 7-bit encodings by their escape sequences', () => {
    assertCertain(join('Tea ', byte(0x1b, 0x24, 0x42, 0x43, 0x63, 0x1b, 0x28, 0x42), ' 5'), 'Tea 茶 5');
    const korean = [...encode('커피', 'cp949')].map((value) => value & 0x7f);
    assertCertain(join('\x1b$)C\n', byte(0x0e, ...korean, 0x0f), ' 5'), '\n커피 5');
  });

  it('reads the XML declaration of a text', () => {
    const declaration = '<?xml version="1.0" encoding="iso-8859-2"?>';
    assertCertain(join(declaration, encode('Łódź', 'iso88592')), `${declaration}Łódź`);
  });

  it('detects the encoding of letters far from the start, even in a file of one line', () => {
    const filler = 'plain words '.repeat(20_000);
    assert.equal(text(encode(filler + prose.russian, 'cp866')).slice(filler.length), prose.russian);
    const lines = `${'plain words\n'.repeat(20_000)}${prose.russian}\n`;
    assert.equal(text(encode(lines, 'koi8-r')), lines);
  });

  itInSoak('takes at most two seconds of CPU time for 4 MB of hostile bytes', () => {
    const contents = [
      Buffer.alloc(4 * 1024 * 1024, 0xe4),
      Buffer.from(Array.from({ length: 4 * 1024 * 1024 }, (_, index) => 0x80 + ((index * 7919) % 128))),
      Buffer.alloc(4 * 1024 * 1024, join('a', byte(0xe9))),
    ];
    for (const content of contents)
      assertCpuBelow(2000, () => decodeMarkup(content, { mimeType: 'text/html; charset=utf-8' }));
  });
});

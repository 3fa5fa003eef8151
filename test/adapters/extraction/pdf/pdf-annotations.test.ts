import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PdfBuilder, showLines } from './build-pdf.ts';
import { extractBytes } from '../extraction-support.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { assertAsyncCpuBelow } from '../../../support/cost.ts';

const read = async (pdf: Buffer) => {
  const { sections } = await extractBytes(pdf, 'a.pdf');
  return sections.map(({ text }) => text).join('\n\n');
};

/** Reads a PDF page with these lines and annotations. */
const readPage = (lines: string[], annotations: string[]) =>
  read(new PdfBuilder().addPage({ content: showLines(...lines), annotations }).build());

/** Reads a PDF page on which only annotations have text. Some annotations have a stored appearance. */
function readDrawn(annotations: [entries: string, content: string][]) {
  const pdf = new PdfBuilder();
  const font = pdf.add('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>');
  const drawn = annotations.map(([entries, content]) => {
    const appearance = pdf.addStream(
      content,
      `/Type/XObject/Subtype/Form/BBox[0 0 300 40]/Resources<</Font<</F1 ${font}>>>>`,
    );
    return `<</Type/Annot/Rect[72 600 372 640]/F 4/AP<</N ${appearance}>>${entries}>>`;
  });
  return read(pdf.addPage({ annotations: drawn }).build());
}

const freeText = (text: string, entries = '') =>
  `<</Type/Annot/Subtype/FreeText/Rect[72 600 400 640]/Contents(${text})/DA(/F1 12 Tf 0 g)${entries}>>`;
const field = (entries: string, rect = '200 735 400 755') =>
  `<</Type/Annot/Subtype/Widget/Rect[${rect}]/DA(/F1 12 Tf 0 g)${entries}>>`;
const box = (value: string, name: string, rect: string, entries = '') =>
  `<</Type/Annot/Subtype/Widget/FT/Btn/T(${name})/V/${value}/AS/${value}/Rect[${rect}]${entries}` +
  `/AP<</N<</${value === 'Off' ? 'Yes' : value} null/Off null>>>>>>`;

describe('extractDocument of a PDF with annotations', () => {
  it('reads text that was typed onto the page, below the line above it', async () => {
    assert.equal(
      await readPage(['Entry form', 'Opening hours', 'Prices'], [freeText('Bring your passport')]),
      'Entry form\n\nOpening hours\n\nPrices\n\nBring your passport',
    );
    const between = freeText('Bring your passport').replace('600 400 640', '712 400 730');
    assert.equal(
      await readPage(['Entry form', 'Opening hours'], [between]),
      'Entry form\n\nBring your passport\n\nOpening hours',
    );
  });

  it('reads several lines of a text, and never makes a heading of a line', async () => {
    const text = freeText('Bring your passport\\rand a photo', '/DA(/F1 40 Tf 0 g)');
    const { sections } = await extractBytes(
      new PdfBuilder().addPage({ content: showLines('Entry form'), annotations: [text] }).build(),
      'a.pdf',
    );
    assert.deepEqual(sections, [
      { headings: [], page: 1, text: 'Entry form\n\nBring your passport and a photo' },
    ]);
  });

  it('reads the contents of a stamp', async () => {
    const stamp = '<</Type/Annot/Subtype/Stamp/Rect[72 600 200 640]/Contents(Paid in full)>>';
    assert.equal(await readPage(['Invoice'], [stamp]), 'Invoice\n\nPaid in full');
  });

  it('reads the text that stamps, signatures and buttons draw', async () => {
    const draw = (text: string) => `BT /F1 12 Tf 5 10 Td (${text}) Tj ET`;
    assert.equal(await readDrawn([['/Subtype/Stamp', draw('APPROVED')]]), 'APPROVED');
    assert.equal(
      await readDrawn([
        ['/Subtype/Widget/FT/Sig/T(sig)', 'BT /F1 9 Tf 5 20 Td (Signed by) Tj 0 -12 Td (Ada) Tj ET'],
      ]),
      'Signed by Ada',
    );
    assert.equal(
      await readDrawn([['/Subtype/Widget/FT/Btn/Ff 65536/T(send)/A<</S/JavaScript/JS()>>', draw('Send')]]),
      'Send',
    );
  });

  it('omits comments and hidden annotations', async () => {
    const comments = ['Text', 'Highlight', 'Popup', 'Underline', 'Caret'].map(
      (subtype) =>
        `<</Type/Annot/Subtype/${subtype}/Rect[72 600 200 640]/QuadPoints[72 640 200 640 72 600 200 600]/Contents(Is this right?)>>`,
    );
    const hidden = [2, 32].map((flag) => freeText('Draft of the legal team', `/F ${flag}`));
    assert.equal(await readPage(['Entry form'], [...comments, ...hidden]), 'Entry form');
  });
});

describe('extractDocument of a PDF with form fields', () => {
  it('reads a value behind its printed label', async () => {
    const value = field('/FT/Tx/T(f1_01[0])/V(Ada Lovelace)');
    assert.equal(await readPage(['Name of the insured:'], [value]), 'Name of the insured: Ada Lovelace');
  });

  it('names a value by the name of its field, if nothing is printed next to it', async () => {
    const below = '72 600 400 640';
    const names = {
      '/T(holder)': 'holder: Two million euros',
      '/T(sum_insured)': 'sum insured: Two million euros',
      '/T(form1.page1.sumInsured)': 'sum Insured: Two million euros',
      '/T(Text12)': 'Two million euros',
      '/T(topmostSubform[0].f1_02[0])': 'Two million euros',
      '/T(Text12)/TU(Sum insured)': 'Sum insured: Two million euros',
      '/T(certificate)': 'Two million euros',
    };
    for (const [name, text] of Object.entries(names)) {
      const value = field(`/FT/Tx${name}/V(Two million euros)`, below);
      assert.equal(await readPage(['Certificate'], [value]), `Certificate\n\n${text}`, name);
    }
  });

  it('reads values of fields that inherit them', async () => {
    const pdf = new PdfBuilder();
    const parent = pdf.reserve();
    const kid = pdf.add(field(`/Parent ${parent}`, '72 600 400 640'));
    pdf.set(parent, `<</FT/Tx/T(holder)/V(Ada Lovelace)/Kids[${kid}]>>`);
    pdf.addPage({ content: showLines('Certificate'), annotations: [kid] });
    const form = pdf.build({ catalog: `/AcroForm<</Fields[${parent}]/NeedAppearances true>>` });
    assert.equal(await read(form), 'Certificate\n\nholder: Ada Lovelace');
  });

  it('reads checked and unchecked boxes before their labels', async () => {
    const boxes = [
      box('Yes', 'c1', '55 735 67 747'),
      box('Off', 'c2', '55 695 67 707'),
      box('Vegan', 'c3', '55 655 67 667'),
    ];
    assert.equal(
      await readPage(['Breakfast', 'Dinner', 'Special diet'], boxes),
      '☒ Breakfast\n\n☐ Dinner\n\n☒ Vegan Special diet',
    );
  });

  it('reads the chosen button of a group', async () => {
    const pdf = new PdfBuilder();
    const group = pdf.reserve();
    const kids = ['Single', 'Double'].map((value, row) =>
      pdf.add(
        `<</Type/Annot/Subtype/Widget/Parent ${group}/AS/${value === 'Double' ? 'Double' : 'Off'}` +
          `/Rect[55 ${735 - row * 40} 67 ${747 - row * 40}]/AP<</N<</${value} null/Off null>>>>>>`,
      ),
    );
    pdf.set(group, `<</FT/Btn/Ff 32768/T(room)/V/Double/Kids[${kids.join(' ')}]>>`);
    pdf.addPage({ content: showLines('One person', 'Two persons'), annotations: kids });
    const form = pdf.build({ catalog: `/AcroForm<</Fields[${group}]>>` });
    assert.equal(await read(form), '☐ One person\n\n☒ Double Two persons');
  });

  it('names a checked box by its field, if nothing is printed next to it', async () => {
    const boxes = [
      `<</Type/Annot/Subtype/Widget/FT/Btn/T(breakfast)/V/Yes/Rect[55 600 67 612]>>`,
      box('Yes', 'Check Box3', '55 560 67 572', '/TU(Late arrival)'),
      box('Off', 'dinner', '55 520 67 532'),
    ];
    assert.equal(await readPage(['Booking'], boxes), 'Booking\n\n☒ breakfast\n\n☒ Late arrival\n\n☐ dinner');
  });

  it('adds nothing for an empty form', async () => {
    const fields = [field('/FT/Tx/T(name)'), field('/FT/Tx/T(city)/V()'), box('Off', 'c2', '55 695 67 707')];
    assert.equal(await readPage(['Name:', 'Dinner'], fields), 'Name:\n\nDinner');
  });

  it('reads the names of chosen options', async () => {
    const options = '/Opt[[(de)(Germany)][(fr)(France)][(it)(Italy)]]';
    assert.equal(
      await readPage(['Country:'], [field(`/FT/Ch/Ff 131072/T(c)/V(fr)${options}`)]),
      'Country: France',
    );
    assert.equal(
      await readPage(['Countries:'], [field(`/FT/Ch/T(c)/V[(de)(it)]${options}`)]),
      'Countries: Germany, Italy',
    );
    assert.equal(
      await readPage(['City:'], [field('/FT/Ch/Ff 393216/T(c)/V(Porto)/Opt[(Lisbon)(Faro)]')]),
      'City: Porto',
    );
  });

  it('reads the formatted value that the page shows', async () => {
    const draw = (text: string) => `/Tx BMC BT /F1 12 Tf 2 10 Td (${text}) Tj ET EMC`;
    assert.equal(
      await readDrawn([['/Subtype/Widget/FT/Tx/T(f1)/V(1234.5)', draw('1.234,50 EUR')]]),
      '1.234,50 EUR',
    );
    assert.equal(await readDrawn([['/Subtype/Widget/FT/Tx/T(f1)/V(AB12)', draw('A B 1 2')]]), 'AB12');
  });

  it('omits passwords', async () => {
    assert.equal(await readPage(['Access'], [field('/FT/Tx/Ff 8192/T(pin)/V(4711)')]), 'Access');
  });

  it('reads the rows of a table of fields', async () => {
    const cells = [
      ['150 695 250 715', 'Oars'],
      ['300 695 400 715', '12'],
      ['150 655 250 675', 'Sails'],
      ['300 655 400 675', '3'],
    ].map(([rect, value], index) => field(`/FT/Tx/T(f${index})/V(${value})`, rect));
    const heads = [
      [150, 'Item'],
      [300, 'Number'],
    ].map(([x, text]) => `BT /F1 12 Tf ${x} 740 Td (${text}) Tj ET`);
    const pdf = new PdfBuilder().addPage({ content: heads.join('\n'), annotations: cells }).build();
    assert.equal(await read(pdf), '| Item | Number |\n| --- | --- |\n| Oars | 12 |\n| Sails | 3 |');
  });

  it('reads values on a rotated page', async () => {
    const content = 'BT /F1 12 Tf 0 1 -1 0 100 100 Tm (Name:) Tj ET';
    const value = field('/FT/Tx/T(f1)/V(Ada)/MK<</R 90>>', '90 150 105 300');
    const pdf = new PdfBuilder().addPage({ content, annotations: [value], entries: '/Rotate 90' }).build();
    assert.equal(await read(pdf), 'Name: Ada');
  });

  itInSoak('places thousands of fields in linear time', async () => {
    const lines = Array.from(
      { length: 2000 },
      (_line, row) => `BT /F1 1 Tf 72 ${800 - row * 0.3} Td (n) Tj ET`,
    );
    const fields = Array.from({ length: 5000 }, (_field, row) =>
      field(`/FT/Tx/T(f)/V(v)`, `90 ${row / 9} 99 ${row / 9 + 1}`),
    );
    const pdf = new PdfBuilder().addPage({ content: lines.join('\n'), annotations: fields }).build();
    await assertAsyncCpuBelow(8000, () => read(pdf));
  });
});

describe('an XFA form', () => {
  it('is read with headings, labels and values', async () => {
    const pdf = new PdfBuilder();
    const parts = {
      template: `<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1" layout="tb" locale="en_US">
        <pageSet><pageArea name="P1" id="P1"><contentArea x="20pt" y="20pt" w="500pt" h="700pt"/><medium short="612pt" long="792pt"/></pageArea></pageSet>
        <draw name="title" w="200pt" h="20pt"><font typeface="Myriad Pro"/><assist role="H1"/><value><text>Mooring permit</text></value></draw>
        <field name="holder" w="300pt" h="20pt"><font typeface="Myriad Pro"/><caption><value><text>Holder</text></value></caption><ui><textEdit/></ui><value><text>Ada Lovelace</text></value></field>
        <field name="night" w="300pt" h="20pt"><caption><value><text>Stays over night</text></value></caption><ui><checkButton/></ui><items><text>1</text><text>0</text></items><value><text>1</text></value></field>
        </subform></template>`,
      datasets:
        '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data></xfa:data></xfa:datasets>',
    };
    const xdp = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${Object.values(parts).join('')}</xdp:xdp>`;
    pdf.addPage({ content: showLines('Please wait until the form is shown') });
    const form = pdf.build({
      catalog: `/NeedsRendering true/AcroForm<</Fields[]/DR<</Font<</F1 2 0 R>>>>/XFA ${pdf.addStream(xdp)}>>`,
    });
    assert.deepEqual((await extractBytes(form, 'a.pdf')).sections, [
      { headings: ['Mooring permit'], page: 1, text: 'Holder: Ada Lovelace\n\n☒ Stays over night' },
    ]);
  });
});

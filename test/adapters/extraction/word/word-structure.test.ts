import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { buildZip } from '../build-zip.ts';
import { assertUnreadable, extractBytes } from '../extraction-support.ts';
import { paragraph, readWord, readWordText, run, wordParts, wordRelationships } from './word-support.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { assertAsyncCpuBelow } from '../../../support/cost.ts';

const box = (text: string) => `<w:txbxContent>${paragraph(run(text))}</w:txbxContent>`;
const drawing = (content: string) =>
  `<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx>${content}</wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>`;
const shape = (content: string) => `<w:pict><v:shape><v:textbox>${content}</v:textbox></v:shape></w:pict>`;
const buildAlternateContent = (choice: string, fallback: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${choice}</mc:Choice><mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`;
const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`;
const cell = (text: string, properties = '') =>
  `<w:tc>${properties && `<w:tcPr>${properties}</w:tcPr>`}${paragraph(run(text))}</w:tc>`;

describe('extractDocument of a Word document with text boxes', () => {
  it('reads each box once, after its paragraph, with and without a fallback', async () => {
    for (const content of [
      drawing(box('Boxed')),
      shape(box('Boxed')),
      buildAlternateContent(drawing(box('Boxed')), shape(box('Boxed'))),
      `<mc:AlternateContent><mc:Choice Requires="wps">${drawing(box('Boxed'))}</mc:Choice></mc:AlternateContent>`,
      buildAlternateContent('<w:drawing/>', shape(box('Boxed'))),
      buildAlternateContent(
        `<w:drawing><wpg:wgp><wps:wsp>${box('Boxed')}</wps:wsp></wpg:wgp></w:drawing>`,
        shape(box('Old')),
      ),
      `<w:drawing><lc:lockedCanvas><a:sp><a:txBody><a:p><a:r><a:t>Boxed</a:t></a:r></a:p></a:txBody></a:sp></lc:lockedCanvas></w:drawing>`,
      '<w:pict><v:shape><v:textpath string="Boxed"/></v:shape></w:pict>',
    ]) {
      const text = await readWordText(paragraph(`${run('Before')}<w:r>${content}</w:r>${run(' after')}`));
      const isInline = content.includes('textpath');
      assert.equal(text, isInline ? 'Before Boxed after' : 'Before after\n\nBoxed', content);
    }
  });

  it('reads boxes within boxes, in tables, and with tables', async () => {
    const inner = `<w:txbxContent>${paragraph(`${run('Outer')}<w:r>${drawing(box('Inner'))}</w:r>`)}</w:txbxContent>`;
    assert.equal(await readWordText(paragraph(`<w:r>${drawing(inner)}</w:r>`)), 'Outer\n\nInner');
    const inCell = `<w:tbl>${row(`<w:tc>${paragraph(`${run('A')}<w:r>${drawing(box('B'))}</w:r>`)}</w:tc>`, cell('C'))}</w:tbl>`;
    assert.equal(await readWordText(inCell), '| A B | C |\n| --- | --- |');
    const withTable = `<w:txbxContent><w:tbl>${row(cell('A'), cell('B'))}</w:tbl></w:txbxContent>`;
    assert.equal(
      await readWordText(paragraph(`<w:r>${drawing(withTable)}</w:r>`)),
      '| A | B |\n| --- | --- |',
    );
  });

  it('reads charts, diagrams and descriptions of pictures', async () => {
    const parts = {
      ...wordRelationships({}, { rIdC: ['chart', 'charts/c.xml'], rIdD: ['diagramData', 'diagrams/d.xml'] }),
      'word/charts/c.xml':
        '<c:chart><c:plotArea><c:ser><c:tx><c:v>Guests</c:v></c:tx><c:cat><c:v>2025</c:v></c:cat><c:val><c:v>340</c:v></c:val></c:ser><c:ser><c:tx><c:v>Share</c:v></c:tx><c:val><c:v>4.4000000000000004</c:v></c:val></c:ser></c:plotArea></c:chart>',
      'word/diagrams/d.xml': '<dgm:pt><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:pt>',
    };
    const graphic = (content: string) =>
      `<w:r><w:drawing><wp:inline><wp:docPr descr="A red boat"/><a:graphicData>${content}</a:graphicData></wp:inline></w:drawing></w:r>`;
    assert.equal(
      await readWordText(
        paragraph(
          graphic('<c:chart r:id="rIdC"/>') + graphic('<dgm:relIds r:dm="rIdD"/>') + graphic('<pic:pic/>'),
        ),
        parts,
      ),
      'A red boat\n\n|  | Guests | Share |\n| --- | --- | --- |\n| 2025 | 340 | 4.4 |\n\n- Plan',
    );
  });
});

describe('extractDocument of a Word document with tables', () => {
  it('skips tables without rows or text', async () => {
    for (const table of [
      '<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/></w:tblGrid></w:tbl>',
      '<w:tbl/>',
      '<w:tbl><w:tr/></w:tbl>',
      '<w:tbl><w:tr><w:tc/></w:tr></w:tbl>',
      `<w:tbl>${row(cell(''), cell(''))}${row(cell(' '))}</w:tbl>`,
      `<w:tbl><w:tr><w:tc><w:tbl/></w:tc><w:tc/></w:tr></w:tbl>`,
      '<w:tbl><w:sdt><w:sdtContent/></w:sdt></w:tbl>',
    ])
      assert.equal(
        await readWordText(paragraph(run('before')) + table + paragraph(run('after'))),
        'before\n\nafter',
        table,
      );
  });

  it('fills merged cells, and reads through content controls', async () => {
    const merged = row(cell('Boat', '<w:vMerge w:val="restart"/>'), cell('Canoe'), cell('12'));
    const covered = row(cell('', '<w:vMerge/>'), cell('Kayak'), cell('9'));
    const wide = row(cell('Both', '<w:gridSpan w:val="2"/>'), cell('20'));
    const shifted = '<w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>' + cell('Oar') + cell('1') + '</w:tr>';
    const control = `<w:sdt><w:sdtContent>${row(cell('Sail'), `<w:sdt><w:sdtContent>${cell('Laser')}</w:sdtContent></w:sdt>`, cell('30'))}</w:sdtContent></w:sdt>`;
    assert.equal(
      await readWordText(`<w:tbl>${merged}${covered}${wide}${shifted}${control}</w:tbl>`),
      '| Boat | Canoe | 12 |\n| --- | --- | --- |\n| Boat | Kayak | 9 |\n| Both |  | 20 |\n|  | Oar | 1 |\n| Sail | Laser | 30 |',
    );
  });

  it('reads a table with a single cell as text, and a nested table within its cell', async () => {
    const heading = paragraph(run('Prices'), '<w:pStyle w:val="Heading1"/>');
    const { sections } = await readWord(
      `<w:tbl><w:tr><w:tc>${heading}${paragraph(run('Low.'))}</w:tc></w:tr></w:tbl>`,
    );
    assert.deepEqual(sections, [{ headings: ['Prices'], text: 'Low.' }]);
    const nested = `<w:tc><w:tbl>${row(cell('Canoe'), cell('12'))}${row(cell('Kayak'), cell('9'))}</w:tbl></w:tc>`;
    assert.equal(
      await readWordText(`<w:tbl>${row(cell('Boats'), nested)}</w:tbl>`),
      '| Boats | Canoe, 12; Kayak, 9 |\n| --- | --- |',
    );
  });

  it('refuses tables that are far larger than their text', async () => {
    const far =
      '<w:tr><w:trPr><w:gridBefore w:val="999"/></w:trPr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>';
    const huge = Array.from({ length: 2100 }, (_value, index) =>
      far.replace('>a<', `>${index * 7919}<`),
    ).join('');
    await assertUnreadable(
      readWord(`<w:tbl>${huge}</w:tbl>`),
      'too_large',
      'The Word document has larger tables than Parley can read.',
    );
  });
});

describe('extractDocument of a Word document with headings, lists and notes', () => {
  const level = (depth: number, format: string, text: string, more = '') =>
    `<w:lvl w:ilvl="${depth}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}</w:lvl>`;
  const numbering = {
    'word/numbering.xml':
      `<w:numbering><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%2)')}${level(2, 'lowerRoman', '%1.%3', '<w:isLgl/>')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '•')}</w:abstractNum>` +
      `<w:abstractNum w:abstractNumId="2">${level(0, 'decimal', '§ %1', '<w:pStyle w:val="Heading1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="Heading2"/>')}</w:abstractNum>` +
      '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>' +
      '<w:num w:numId="4"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>',
  };
  const item = (text: string, list: number, depth = 0) =>
    paragraph(run(text), `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);

  it('labels items of lists as Word does', async () => {
    const body =
      item('one', 1) +
      item('inner', 1, 1) +
      item('inmost', 1, 2) +
      item('two', 1) +
      item('again', 1, 1) +
      paragraph(run('between')) +
      item('dot', 2) +
      item('three', 1) +
      item('five', 4) +
      item('none', 0);
    assert.equal(
      await readWordText(body, numbering),
      '1. one\n  a) inner\n    1.1 inmost\n2. two\n  a) again\n\nbetween\n\n- dot\n3. three\n5. five\n\nnone',
    );
  });

  it('finds headings by style, inheritance and outline, with their numbers', async () => {
    const styles = {
      'word/styles.xml':
        '<w:styles><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr></w:style>' +
        '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Heading1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr></w:style>' +
        '<w:style w:type="paragraph" w:styleId="Own"><w:basedOn w:val="Heading2"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr></w:pPr></w:style>' +
        '<w:style w:type="paragraph" w:styleId="TOC"><w:basedOn w:val="Heading1"/><w:pPr><w:numPr><w:numId w:val="0"/></w:numPr><w:outlineLvl w:val="9"/></w:pPr></w:style>' +
        '<w:style w:type="paragraph" w:styleId="A"><w:basedOn w:val="B"/></w:style><w:style w:type="paragraph" w:styleId="B"><w:basedOn w:val="A"/></w:style></w:styles>',
    };
    const withStyle = (text: string, style: string) => paragraph(run(text), `<w:pStyle w:val="${style}"/>`);
    const { title, sections } = await readWord(
      withStyle('Terms', 'Heading1') +
        withStyle('Scope', 'Heading2') +
        withStyle('All boats.', 'A') +
        withStyle('Rules', 'Own') +
        withStyle('Be kind.', 'TOC') +
        withStyle('Money', 'Heading1') +
        paragraph(run('Deposit'), '<w:outlineLvl w:val="1"/>') +
        paragraph(run('50 €.')),
      { ...numbering, ...styles },
    );
    assert.equal(title, '§ 1 Terms');
    assert.deepEqual(sections, [
      { headings: ['§ 1 Terms', '1.1 Scope'], text: 'All boats.' },
      { headings: ['§ 1 Terms', 'Rules'], text: 'Be kind.' },
      { headings: ['§ 2 Money', 'Deposit'], text: '50 €.' },
    ]);
  });

  it('adds notes after their section, and skips missing notes', async () => {
    const notes = {
      'word/footnotes.xml': `<w:footnotes><w:footnote w:type="separator" w:id="0">${paragraph(run('---'))}</w:footnote><w:footnote w:id="2">${paragraph(`<w:r><w:footnoteRef/></w:r>${run('By card.')}`)}</w:footnote></w:footnotes>`,
      'word/endnotes.xml': `<w:endnotes><w:endnote w:id="2">${paragraph(run('Since 2020.'))}</w:endnote></w:endnotes>`,
    };
    const note = (kind: string, id: number) => `<w:r><w:${kind}Reference w:id="${id}"/></w:r>`;
    const { sections } = await readWord(
      paragraph(
        `${run('Pay')}${note('footnote', 2)}${run(' now')}${note('endnote', 2)}${note('footnote', 7)}${note('footnote', 2)}`,
      ) +
        paragraph(run('Late'), '<w:outlineLvl w:val="0"/>') +
        paragraph(run('Costs more.')),
      notes,
    );
    assert.deepEqual(sections, [
      { headings: [], text: 'Pay[1] now[2][1]\n\n[1] By card.\n\n[2] Since 2020.' },
      { headings: ['Late'], text: 'Costs more.' },
    ]);
  });
});

describe('extractDocument of a Word document with damaged parts', () => {
  const body = paragraph(`${run('Kept')}<w:r><w:footnoteReference w:id="2"/></w:r>`);

  it('reads the intact parts, and returns a notice', async () => {
    const cases: [parts: Record<string, string>, notice: string | undefined][] = [
      [{ 'word/styles.xml': '<w:styles><w:style' }, undefined],
      [{ 'word/footnotes.xml': '\u0000\u0001' }, undefined],
      [{ 'word/_rels/document.xml.rels': 'no XML' }, undefined],
      [
        {
          '_rels/.rels':
            '<Relationships><Relationship Type="x/officeDocument" Target="gone.xml"/></Relationships>',
        },
        undefined,
      ],
      [
        { 'word/numbering.xml': '<a>'.repeat(1200) },
        'Parts of the Word document are damaged and were skipped: lists.',
      ],
      [
        { 'word/footnotes.xml': '<a>'.repeat(1200) },
        'Parts of the Word document are damaged and were skipped: footnotes.',
      ],
    ];
    for (const [parts, notice] of cases) {
      const document = await readWord(body, parts);
      assert.deepEqual(
        [document.sections[0]?.text, document.notice],
        ['Kept', notice],
        JSON.stringify(parts).slice(0, 80),
      );
    }
  });

  it('reads a main part with entities, control characters and open elements', async () => {
    const cases: [body: string, text: string][] = [
      [paragraph(run('5 &nbsp; &euro; 9')), '5 &nbsp; &euro; 9'],
      [paragraph(run('a\u0001b')), 'ab'],
      [`${paragraph(run('Kept'))}<w:p><w:r><w:t>Open`, 'Kept\n\nOpen'],
      [
        paragraph(
          `${run('Picture')}<w:r><w:drawing><pic:pic><a:blip r:embed="rId99"/></pic:pic></w:drawing></w:r>`,
        ),
        'Picture',
      ],
      [
        paragraph(run('Style'), '<w:pStyle w:val="Missing"/><w:numPr><w:numId w:val="99"/></w:numPr>'),
        'Style',
      ],
    ];
    for (const [content, text] of cases) {
      const parts = wordParts(content);
      const { sections } = await extractBytes(buildZip(parts), 'a.docx');
      assert.equal(sections.map((section) => section.text).join('\n\n'), text, content);
    }
  });

  for (const [name, content] of [
    ['links', (text: string) => `<w:hyperlink r:id="rId1">${run(text)}</w:hyperlink>`],
    ['struck-through runs', (text: string) => run(text, '<w:strike/>')],
    ['equations', (text: string) => `<m:oMath><m:r><m:t>${text}</m:t></m:r></m:oMath>`],
    ['charts', (text: string) => `${run(text)}<w:r><w:drawing><c:chart r:id="rId2"/></w:drawing></w:r>`],
  ] as const) {
    itInSoak(`reads 20,000 ${name} in a paragraph in less than 3 s`, async () => {
      const parts = {
        ...wordRelationships({ rId1: 'https://example.com/' }, { rId2: ['chart', 'c.xml'] }),
        'word/c.xml': `<c:chart>${'<c:ser/>'.repeat(5000)}</c:chart>`,
      };
      const all = Array.from({ length: 20_000 }, (_value, index) => content(`a${(index * 104_729) % 1e6}`));
      await assertAsyncCpuBelow(3000, async () =>
        assert.match(await readWordText(paragraph(all.join('')), parts), /a0.*a104729/),
      );
    });
  }

  itInSoak('reads an equation of 20,000 runs and a list of 2,000 levels in less than 3 s', async () => {
    const runs = Array.from(
      { length: 20_000 },
      (_value, index) => `<m:r><m:t>${(index * 7919) % 1e6}</m:t></m:r>`,
    );
    const levels = Array.from(
      { length: 2000 },
      (_value, index) => `<w:lvl w:ilvl="${index}"><w:lvlText w:val="%1."/></w:lvl>`,
    );
    const numbering = {
      'word/numbering.xml': `<w:numbering><w:abstractNum w:abstractNumId="0">${levels.join('')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    };
    const items = Array.from({ length: 4000 }, (_value, index) =>
      paragraph(run(`${(index * 7919) % 1e6}`), '<w:numPr><w:numId w:val="1"/></w:numPr>'),
    );
    const text = paragraph(`<m:oMath>${runs.join('')}</m:oMath>`) + items.join('');
    await assertAsyncCpuBelow(3000, () => readWordText(text, numbering));
  });

  it('reads deep, cyclic and repeated structures in bounded time', async () => {
    const deep =
      '<mc:AlternateContent><mc:Choice>'.repeat(400) + '</mc:Choice></mc:AlternateContent>'.repeat(400);
    const cyclic = {
      'word/footnotes.xml': `<w:footnotes><w:footnote w:id="2">${body}</w:footnote></w:footnotes>`,
    };
    assert.equal(
      await readWordText(body + paragraph(`<w:r>${deep}</w:r>`), cyclic),
      'Kept[1]\n\n[1] Kept[1]',
    );
    const fields = Array.from(
      { length: 20_000 },
      (_value, index) =>
        `<w:r><w:fldChar w:fldCharType="begin" x="${(index * 7919) % 1e6}"/></w:r>${run(`a${(index * 104_729) % 1e6}`)}`,
    );
    const text = paragraph(fields.join('')) + paragraph(run('End'));
    await assertAsyncCpuBelow(3000, async () => assert.equal(await readWordText(text), 'a0\n\nEnd'));
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { assertUnreadable, extractBytes, extractFixture } from '../extraction-support.ts';
import { buildZip } from '../build-zip.ts';

const officeType = 'application/vnd.openxmlformats-officedocument';

describe('extractDocument of a PowerPoint presentation', () => {
  const slide = (content: string, attributes = '') =>
    `<p:sld ${attributes}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`;
  const shape = (role: string, ...lines: string[]) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${role && `<p:ph type="${role}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${lines
      .map((line) => `<a:p><a:r><a:t>${line}</a:t></a:r></a:p>`)
      .join('')}</p:txBody></p:sp>`;
  const parts = (slides: string[], more: Record<string, string> = {}) => ({
    '[Content_Types].xml': `<Types><Override ContentType="${officeType}.presentationml.presentation.main+xml"/></Types>`,
    'ppt/presentation.xml': `<p:presentation><p:sldIdLst>${slides.map((_slide, index) => `<p:sldId id="${256 + index}" r:id="r${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': `<Relationships>${slides.map((_slide, index) => `<Relationship Id="r${index}" Type="x/slide" Target="slides/slide${9 - index}.xml"/>`).join('')}</Relationships>`,
    ...Object.fromEntries(slides.map((content, index) => [`ppt/slides/slide${9 - index}.xml`, content])),
    ...more,
  });

  it('reads slides in order, with lists, tables, charts, groups and notes, without hidden slides', async () => {
    const { title, mimeType, sections } = await extractFixture('safety.pptx');
    assert.deepEqual(
      { title, mimeType },
      { title: 'Safety on the water', mimeType: `${officeType}.presentationml.presentation` },
    );
    assert.deepEqual(sections, [
      { headings: ['Safety on the water'], page: 1, text: 'Briefing for guides' },
      {
        headings: ['Life jackets'],
        page: 2,
        text: '- Everybody wears one\n  - Children too\n- Check the straps\n\nNotes: Show the red jacket first.\nThen the blue one.',
      },
      {
        headings: ['Guests a year'],
        page: 3,
        text: '|  | Guests |\n| --- | --- |\n| 2024 | 120 |\n| 2025 | 340 |',
      },
      {
        headings: ['Sizes'],
        page: 4,
        text: '| Size | Weight |\n| --- | --- |\n| S | up to 50 kg |\n| L | up to 90 kg |\n\nGrouped remark',
      },
    ]);
  });

  it('reads alternate content once, SmartArt as words, and no page numbers', async () => {
    const alternative = `<mc:AlternateContent><mc:Choice>${shape('', 'Said once')}</mc:Choice><mc:Fallback>${shape('', 'Said once')}</mc:Fallback></mc:AlternateContent>`;
    const { sections } = await extractBytes(
      buildZip(
        parts([slide(shape('title', 'First')), slide(alternative + shape('sldNum', '2')), slide('')], {
          'ppt/slides/_rels/slide8.xml.rels':
            '<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/></Relationships>',
          'ppt/diagrams/data1.xml':
            '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Row</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
        }),
      ),
      'a.pptx',
    );
    assert.deepEqual(sections, [
      { headings: ['First'], page: 1, text: 'First' },
      { headings: ['Slide 2'], page: 2, text: 'Said once\n\n- Plan\n- Row' },
    ]);
  });

  it('repeats a cell of a table in the rows that it covers', async () => {
    const cell = (text: string, merge = '') =>
      `<a:tc ${merge}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
    const row = (...cells: string[]) => `<a:tr>${cells.join('')}</a:tr>`;
    const table = [
      row(cell('Boat', 'rowSpan="2"'), cell('Canoe'), cell('12')),
      row(cell('', 'vMerge="1"'), cell('Kayak'), cell('9')),
      row(cell('Both', 'rowSpan="2" gridSpan="2"'), cell('', 'rowSpan="2" hMerge="1"'), cell('20')),
      row(cell('', 'gridSpan="2" vMerge="1"'), cell('', 'hMerge="1" vMerge="1"'), cell('18')),
    ];
    const frame = `<p:graphicFrame><a:tbl>${table.join('')}</a:tbl></p:graphicFrame>`;
    const { sections } = await extractBytes(buildZip(parts([slide(frame)])), 'a.pptx');
    assert.equal(
      sections[0]!.text,
      '| Boat | Canoe | 12 |\n| --- | --- | --- |\n| Boat | Kayak | 9 |\n| Both |  | 20 |\n| Both |  | 18 |',
    );
  });

  it('reads fields and equations, and omits hidden groups and damaged diagrams', async () => {
    const equation =
      '<mc:AlternateContent><mc:Choice Requires="a14"><p:sp><p:nvSpPr><p:cNvPr id="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>Area: </a:t></a:r><a14:m><m:oMathPara><m:oMath><m:r><m:t>𝐴=𝜋</m:t></m:r><m:sSup><m:e><m:r><m:t>𝑟</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></m:oMathPara></a14:m></a:p></p:txBody></p:sp></mc:Choice><mc:Fallback><p:sp><p:txBody><a:p><a:r><a:t> </a:t></a:r></a:p></p:txBody></p:sp></mc:Fallback></mc:AlternateContent>';
    const fields =
      '<p:sp><p:txBody><a:p><a:r><a:t>Since </a:t></a:r><a:fld type="datetime1"><a:rPr/><a:t>3/1/2026</a:t></a:fld><a:br/><a:r><a:t>two_x000B_lines</a:t></a:r></a:p></p:txBody></p:sp>';
    const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="2" hidden="1"/></p:nvGrpSpPr><p:grpSp><p:nvGrpSpPr><p:cNvPr id="3"/></p:nvGrpSpPr>${shape('', 'Secret')}</p:grpSp></p:grpSp>`;
    const { sections } = await extractBytes(
      buildZip(
        parts([slide(equation + group + fields)], {
          'ppt/slides/_rels/slide9.xml.rels':
            '<Relationships><Relationship Id="d" Type="x/diagramData" Target="../diagrams/data1.xml"/></Relationships>',
          'ppt/diagrams/data1.xml': '<dgm:dataModel><dgm:pt>',
        }),
      ),
      'a.pptx',
    );
    assert.deepEqual(sections, [
      { headings: ['Slide 1'], page: 1, text: 'Area: A=πr²\n\nSince 3/1/2026 two lines' },
    ]);
  });

  it('omits boxes and groups outside a slide, unless something moves on the slide', async () => {
    const place = (x: number, y: number, rotation = '') =>
      `<a:xfrm ${rotation}><a:off x="${x}" y="${y}"/><a:ext cx="100" cy="50"/></a:xfrm>`;
    const box = (text: string, xfrm: string) =>
      shape('', text).replace('<p:txBody>', `<p:spPr>${xfrm}</p:spPr><p:txBody>`);
    const group = (xfrm: string, content: string) =>
      `<p:grpSp><p:nvGrpSpPr/><p:grpSpPr>${xfrm}</p:grpSpPr>${content}</p:grpSp>`;
    const content =
      box('left', place(-100, 0)) +
      box('right', place(1000, 0)) +
      box('above', place(0, -60)) +
      box('below', place(0, 900)) +
      group(place(2000, 0), box('grouped', place(0, 0)) + group(place(0, 0), box('nested', place(0, 0)))) +
      box('partly', place(-99, 0)) +
      box('turned', place(0, 600, 'rot="5400000"')) +
      group(place(0, 0), box('far in its group', place(5000, 0))) +
      shape('', 'placed by its layout');
    const shown = 'partly\n\nturned\n\nfar in its group\n\nplaced by its layout';
    const read = async (slides: string[], size: string) => {
      const built = parts(slides);
      const presentation = built['ppt/presentation.xml'].replace('</p:presentation>', `${size}$&`);
      const { sections } = await extractBytes(
        buildZip({ ...built, 'ppt/presentation.xml': presentation }),
        'a.pptx',
      );
      return sections.map(({ text }) => text);
    };
    const size = '<p:sldSz cx="1000" cy="600"/>';
    const moving = slide(content).replace(
      '</p:sld>',
      '<p:timing><p:animMotion path="M 0 0"/></p:timing></p:sld>',
    );
    const all = `left\n\nright\n\nabove\n\nbelow\n\ngrouped\n\nnested\n\n${shown}`;
    assert.deepEqual(await read([slide(content), moving], size), [shown, all]);
    assert.deepEqual(await read([slide(content)], ''), [all]);
  });

  it('reads the rest of a presentation with damaged and missing slides, which a notice names', async () => {
    const built: Record<string, string> = parts(
      [slide(shape('title', 'First')), slide('<p:sp'), slide(shape('', 'Third')), slide('')],
      {
        'docProps/core.xml': '<cp:coreProperties><dc:title>Fees</dc:title><',
      },
    );
    const { 'ppt/slides/slide6.xml': missing, ...others } = built;
    assert.ok(missing);
    const { title, sections, notice } = await extractBytes(buildZip(others), 'a.pptx');
    assert.deepEqual(
      { title, sections },
      {
        title: 'Fees',
        sections: [
          { headings: ['First'], page: 1, text: 'First' },
          { headings: ['Slide 3'], page: 3, text: 'Third' },
        ],
      },
    );
    assert.equal(
      notice,
      'Parts of the PowerPoint presentation are damaged and were skipped: slide 2, slide 4.',
    );
  });

  it('refuses an unreadable file with a reason', async () => {
    const whole = buildZip(parts([slide(shape('', 'a'))]));
    const damaged = 'The PowerPoint presentation is damaged.';
    const cut = 'The PowerPoint presentation is damaged: its end is missing.';
    await assertUnreadable(extractBytes(whole.subarray(0, -9), 'a.pptx'), 'damaged', cut);
    await assertUnreadable(
      extractBytes(buildZip(parts([slide('x')]), { checksum: 7 }), 'a.pptx'),
      'damaged',
      damaged,
    );
    await assertUnreadable(
      extractBytes(buildZip(parts([slide('')])), 'a.pptx'),
      'no_text',
      'The PowerPoint presentation contains no text. Parley reads text in pictures only in PDFs. Send a file with text.',
    );
    const bomb = slide(shape('', ' '.repeat(60_000_000)));
    await assertUnreadable(
      extractBytes(buildZip(parts([bomb])), 'a.pptx'),
      'too_large',
      'The PowerPoint presentation unpacks to more than Parley can read.',
    );
  });
});

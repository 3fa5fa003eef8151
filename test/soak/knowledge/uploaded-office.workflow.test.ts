import assert from 'node:assert/strict';
import { buildZip } from '../../adapters/extraction/build-zip.ts';
import { field, paragraph, run, wordParts } from '../../adapters/extraction/word/word-support.ts';
import { buildKnowledgeBase, buildMultipartUpload } from '../../support/knowledge.ts';
import {
  startSharedParleyWithWorker,
  waitForTerminalState,
  type SharedParleyWithWorker,
} from '../../support/worker.ts';

describe('uploadDocument of an Office document', () => {
  let parley: SharedParleyWithWorker;
  before(async () => {
    parley = await startSharedParleyWithWorker();
  });

  async function uploadAndSearch(filename: string, parts: Record<string, string>, query: string) {
    const { client, path } = await buildKnowledgeBase(parley);
    const { headers, body } = buildMultipartUpload(filename, buildZip(parts));
    const response = await client.fetch(`${path}/upload`, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(body),
    });
    const { id } = (await response.json()) as { id: string };
    const { status, notice } = await waitForTerminalState(parley, id);
    const { body: found } = await client.post(`${path}/search`, { query });
    return { status, notice, text: found.items[0]?.text };
  }

  it('indexes what a Word page shows, and reports damaged notes', async () => {
    const box = `<w:r><w:drawing><wps:txbx><w:txbxContent>${paragraph(run('Closed on Mondays'))}</w:txbxContent></wps:txbx></w:drawing></w:r>`;
    const body =
      '<w:tbl><w:tblPr/></w:tbl>' +
      paragraph(
        run('Zebrafink: see ') +
          field('REF _R1', run('SECTION FOUR')) +
          run('secret', '<w:vanish/>') +
          '<m:oMath><m:r><m:t>A=πr²</m:t></m:r></m:oMath><w:r><w:footnoteReference w:id="2"/></w:r>' +
          box,
      );
    const parts = wordParts(body, { 'word/footnotes.xml': '<a>'.repeat(1200) });
    assert.deepEqual(await uploadAndSearch('a.docx', parts, 'zebrafink'), {
      status: 'indexed',
      notice: 'Parts of the Word document are damaged and were skipped: footnotes.',
      text: 'Zebrafink: see SECTION FOURA=πr²\n\nClosed on Mondays',
    });
  });

  it('indexes the cells of an Excel sheet as they are displayed', async () => {
    const parts = {
      '[Content_Types].xml':
        '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Type="x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="x/styles" Target="styles.xml"/></Relationships>',
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd.mm.yyyy"/><numFmt numFmtId="165" formatCode="#,##0.00\\ [$€-407]"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>',
      'xl/worksheets/sheet1.xml':
        '<worksheet><sheetData><row><c t="str"><v>Item</v></c><c t="str"><v>From</v></c><c t="str"><v>Price</v></c></row>' +
        '<row><c t="str"><v>Zebrafink</v></c><c s="1"><v>46082</v></c><c s="2"><v>1234.5</v></c></row></sheetData></worksheet>',
    };
    assert.deepEqual(await uploadAndSearch('a.xlsx', parts, 'zebrafink'), {
      status: 'indexed',
      notice: null,
      text: 'Item: Zebrafink\nFrom: 01.03.2026 (2026-03-01)\nPrice: 1,234.50 €',
    });
  });
});

import assert from 'node:assert/strict';
import { load } from 'cheerio';
import { describe, it } from 'mocha';
import { keepVisibleContent } from '../../../../adapters/extraction/html/visible-content.ts';
import { assertLeastBelow, measureCpuMs } from '../../../support/cost.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';
import { readBetween } from './page-support.ts';

const FEE = 'The fee is five euros.';
const SCRIPT = '<script src="/app.js"></script>';
const SHEET = '<style>.dark { background: black }</style>';
const white = 'color: #fff';

/**
 * Asserts that Parley removes the concealed text of a page within `maxMs` of CPU time. Parses the page for
 * each measurement.
 */
const assertReadBelow = (maxMs: number, html: string, label?: string) =>
  assertLeastBelow(
    maxMs,
    () => {
      const page = load(html);
      return measureCpuMs(() => keepVisibleContent(page));
    },
    label,
  );

const readAll = (contents: readonly string[]) => Promise.all(contents.map(readBetween));

describe('extractDocument of a page with concealed text', () => {
  for (const style of [
    'position:absolute; left:-9999px',
    'position: fixed; top: -200em',
    'text-indent: -9999px',
    'margin-left:-5000px',
    'font-size:0',
    'font-size: 0.00px !important',
    'font-size:1px',
    'color:#fff;background:#ffffff',
    'color: white; background-color: rgb(255, 255, 255)',
    'background:red no-repeat;color:red',
    'color: rgba(0, 0, 0, 0)',
    'color:transparent',
  ])
    it(`omits text with the style ${style}, even on a page with scripts`, async () => {
      const concealed = `<p>${FEE}</p><p style="${style}">Secret</p>`;
      assert.deepEqual(await readAll([concealed, SCRIPT + concealed]), [[FEE], [FEE]]);
    });

  for (const style of [
    'opacity:0',
    'opacity: 0.0;',
    'transform: scale(0)',
    'height:0; overflow:hidden',
    'overflow: hidden; max-height: 0px',
    white,
  ])
    it(`omits text with the style ${style} only if no script or style sheet can show it`, async () => {
      const concealed = `<p>${FEE}</p><p class="dark" style="${style}">Shown</p>`;
      assert.deepEqual(await readAll([concealed, SCRIPT + concealed]), [[FEE], [FEE, 'Shown']]);
      assert.deepEqual(await readBetween(SHEET + concealed), style === white ? [FEE, 'Shown'] : [FEE]);
    });

  it('omits what the page’s own style sheet hides, only if no script, state or other rule can show it', async () => {
    const hide = '.secret, p#note { color: red; display: none } /* } */ aside .x { top: 0 }';
    const text = `<p>${FEE}</p><p class="big secret">One</p><p id="note">Two</p><div id="note">Three</div>`;
    const read = (styles: string) => readBetween(`<style>${styles}</style>${text}`);
    assert.deepEqual(await read(hide), [FEE, 'Three']);
    const all = [FEE, 'One', 'Two', 'Three'];
    for (const other of [
      '</style><script src="a.js"></script><style>',
      '</style><link rel="stylesheet" href="a.css"><style>',
      'input:checked ~ .secret { top: 0 }',
    ])
      assert.deepEqual(await read(hide + other), all, other);
    assert.deepEqual(await read(`${hide} .no-js .secret { display: block }`), [FEE, 'One', 'Three']);
    assert.deepEqual(await read(`@media print { ${hide} }`), all);
    assert.deepEqual(await readBetween(`<style media="print">${hide}</style>${text}`), all);
  });

  it('omits closed dialogs and popovers without a button that opens them', async () => {
    assert.deepEqual(
      await readAll([
        `<p>${FEE}</p><dialog>Secret</dialog><div popover id="p">Secret</div>`,
        '<dialog open>Shown</dialog>',
        '<button popovertarget="p">Fees</button><div popover id="p">Shown</div>',
        '<button commandfor="d" command="show-modal">Fees</button><dialog id="d">Shown</dialog>',
      ]),
      [[FEE], ['Shown'], ['Fees', 'Shown'], ['Fees', 'Shown']],
    );
  });

  it('omits text that color and bgcolor attributes make white on white, and reads the cells around it', async () => {
    const cell = (attributes: string, text: string) => `<td ${attributes}>${text}</td>`;
    const table = `<table><tr><th>Boat</th><th>Fee</th></tr><tr>${cell('bgcolor="#FFFFFF"', '<font color="white">Secret</font>Canoe')}${cell('bgcolor="#000000"', '<font color="white">5</font>')}</tr></table>`;
    assert.deepEqual(await readBetween(table), ['| Boat | Fee |\n| --- | --- |\n| Canoe | 5 |']);
  });

  it('omits a concealed part of a sentence, and reads elements within it that are visible', async () => {
    assert.deepEqual(
      await readAll([
        '<p>Five <span style="font-size:0">Secret</span>euros.</p>',
        '<p style="font-size:0">Secret <span style="font-size:16px">Five euros.</span></p>',
        '<p style="background:#fff;color:#fff">Secret <b style="color:#000">Five euros.</b></p>',
        '<p style="background:#fff">Five <i style="color:#fff">Secret</i>euros.</p>',
      ]),
      [['Five euros.'], ['Five euros.'], ['**Five euros.**'], ['Five euros.']],
    );
  });

  it('reads text for screen readers', async () => {
    for (const attributes of [
      'class="sr-only"',
      'class="visually-hidden" style="position:absolute;left:-9999px"',
      'class="screen-reader-text" style="text-indent:-9999px"',
      'style="position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden"',
      'style="position:absolute;clip:rect(0 0 0 0);height:1px;width:1px;overflow:hidden"',
    ])
      assert.deepEqual(await readBetween(`<p>Five <span ${attributes}>euros</span></p>`), ['Five euros']);
  });

  it('reads text on pictures and other backgrounds', async () => {
    for (const content of [
      `<div style="background:#fff url(a.png)"><p style="${white}">${FEE}</p></div>`,
      `<div style="background:linear-gradient(red, blue)"><p style="${white}">${FEE}</p></div>`,
      `<div style="background:navy"><p style="${white}">${FEE}</p></div>`,
      `<div><img src="a.png"><p style="position:absolute;${white}">${FEE}</p></div>`,
      `<p style="color:transparent;background:red;-webkit-background-clip:text">${FEE}</p>`,
      `<p style="${white};text-shadow:0 0 2px #000">${FEE}</p>`,
      `${SHEET}<div style="background:#fff"><p class="dark" style="${white}">${FEE}</p></div>`,
    ])
      assert.deepEqual(await readBetween(content), [FEE], content);
    const logo = '<h2 style="text-indent:-9999px;background:url(fees.png)">Fees</h2>';
    assert.deepEqual(await readBetween(`${logo}<p>${FEE}</p>`), ['# Fees', FEE]);
  });

  it('reads panels that are moved off the screen until visitors open them', async () => {
    const panel = `<div id="p" style="position:absolute;left:-9999px"><p>${FEE}</p></div>`;
    const button = '<button aria-controls="p" aria-expanded="false">Fees</button>';
    assert.deepEqual(await readBetween(button + panel), ['Fees', FEE]);
  });

  itInSoak('takes less than 5 s for 20,000 elements with styles', async () => {
    const element = `<b style="${'color:#fff;'.repeat(20)}background:#fff">x</b>`;
    await assertReadBelow(5000, `<p style="${'color:#fff;'.repeat(50_000)}">x</p>${element.repeat(20_000)}`);
  });

  it('reads a style sheet with an unclosed comment in linear time', async () => {
    await assertReadBelow(1000, `<style>${'/*a'.repeat(60_000)}</style><p>x</p>`);
  });

  itInSoak('removes many siblings in linear time', async () => {
    for (const element of ['<p class="a">x</p>', '<p hidden>x</p>', '<template></template>']) {
      const html = `<style>.a{display:none}</style>${element.repeat(60_000)}`;
      await assertReadBelow(6000, html, element);
    }
  });

  itInSoak('takes less than 2 s for long style sheets', async () => {
    for (const rule of ['.a{display:none}', '.a,', '{', '}', '/*', '/*a', '/**a', '@media{', ':']) {
      const html = `<style>${rule.repeat(1_000_000 / rule.length)}</style>${'<p class="a">x</p>'.repeat(10_000)}`;
      await assertReadBelow(2000, html, rule);
    }
  });
});

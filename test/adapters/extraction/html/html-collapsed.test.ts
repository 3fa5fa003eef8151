import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { PROSE, readBetween, readBlocks } from './page-support.ts';

const ASK = 'How long do refunds take?';
const ANSWER = 'Refunds arrive within thirty days.';
const hiding = [
  'hidden',
  'hidden="until-found"',
  'aria-hidden="true"',
  'style="color:red; display: none"',
  'style="visibility:hidden"',
];

describe('extractDocument of a page with collapsed answers', () => {
  it('reads the answer after the question in its button, however the page hides it', async () => {
    for (const attribute of hiding) {
      for (const accordion of [
        `<button aria-expanded="false">${ASK}</button><div ${attribute}><p>${ANSWER}</p></div>`,
        `<button aria-controls="a1">${ASK}</button><p></p><div id="a1" ${attribute}>${ANSWER}</div>`,
        `<div><div><button type="button">${ASK}</button></div><div><div ${attribute}><p>${ANSWER}</p></div></div></div>`,
      ]) {
        assert.deepEqual(await readBetween(accordion), [ASK, ANSWER], accordion);
      }
    }
  });

  it('reads accordions of common frameworks', async () => {
    const accordions: Record<string, string> = {
      bootstrap: `<div class="accordion-item"><div class="accordion-header"><button class="accordion-button collapsed" data-bs-toggle="collapse" data-bs-target="#c1">${ASK}</button></div><div id="c1" class="accordion-collapse collapse"><div class="accordion-body">${ANSWER}</div></div></div>`,
      jqueryUi: `<div class="ui-accordion"><div class="ui-accordion-header" role="tab" aria-controls="p1">${ASK}</div><div id="p1" class="ui-accordion-content" role="tabpanel" aria-hidden="true" style="display: none;"><p>${ANSWER}</p></div></div>`,
      elementor: `<div class="elementor-accordion-item"><div id="t1" class="elementor-tab-title" role="button" aria-controls="e1" aria-expanded="false"><a class="elementor-accordion-title" tabindex="0">${ASK}</a></div><div id="e1" class="elementor-tab-content" role="region" aria-labelledby="t1" style="display:none"><p>${ANSWER}</p></div></div>`,
      antDesign: `<div class="ant-collapse-item"><div class="ant-collapse-header" role="button" aria-expanded="false"><span>${ASK}</span></div><div class="ant-collapse-content ant-collapse-content-inactive" style="display:none"><div>${ANSWER}</div></div></div>`,
      chakra: `<div><div><button type="button" aria-expanded="false">${ASK}</button></div><div class="chakra-collapse" style="overflow:hidden;display:none;opacity:0;height:0px"><div role="region">${ANSWER}</div></div></div>`,
      mui: `<div class="MuiAccordion-root"><button class="MuiAccordionSummary-root" aria-expanded="false"><span>${ASK}</span></button><div class="MuiCollapse-root MuiCollapse-hidden" style="min-height:0px;visibility:hidden"><div role="region">${ANSWER}</div></div></div>`,
      govuk: `<div class="govuk-accordion__section"><div><span class="govuk-accordion__section-button">${ASK}</span></div><div class="govuk-accordion__section-content" hidden="until-found"><p>${ANSWER}</p></div></div>`,
      headlessUi: `<button id="headlessui-disclosure-button-1" aria-expanded="false">${ASK}</button><div id="headlessui-disclosure-panel-1" hidden style="display:none">${ANSWER}</div>`,
      alpine: `<div x-data="{open:false}"><button @click="open=!open">${ASK}</button><div x-show="open" style="display: none;">${ANSWER}</div></div>`,
      definitions: `<dl><dt>${ASK}</dt><dd style="display:none">${ANSWER}</dd></dl>`,
      link: `<ul><li><a href="#">${ASK}</a><div style="display:none"><p>${ANSWER}</p></div></li></ul>`,
      checkbox: `<div><input type="checkbox" id="q"><label for="q">${ASK}</label><div style="display:none">${ANSWER}</div></div>`,
      named: `<div class="faq-item"><div class="faq-question">${ASK}</div><div class="faq-answer" style="display:none">${ANSWER}</div></div>`,
      sheet: `<button class="accordion">${ASK}</button><div class="panel"><p>${ANSWER}</p></div>`,
    };
    for (const [framework, accordion] of Object.entries(accordions)) {
      const blocks = (await readBetween(accordion))
        .join('\n')
        .replace(/[-\s]+/g, ' ')
        .trim();
      assert.equal(blocks, `${ASK} ${ANSWER}`, framework);
    }
  });

  it('reads a question in a heading as a heading', async () => {
    assert.deepEqual(
      await readBetween(
        `<h2><button aria-expanded="false">${ASK}</button></h2><div hidden><p>${ANSWER}</p></div>`,
      ),
      [`# ${ASK}`, ANSWER],
    );
    assert.deepEqual(
      await readBetween(
        `<h3>${ASK}</h3><p style="display:none">${ANSWER}</p><p style="display:none">By post.</p>`,
      ),
      [`# ${ASK}`, ANSWER, 'By post.'],
    );
  });

  it('separates a summary from its details', async () => {
    assert.deepEqual(await readBetween(`<details><summary>${ASK}</summary>${ANSWER}</details>`), [
      ASK,
      ANSWER,
    ]);
    assert.deepEqual(
      await readBetween(`<details><summary><h2>${ASK}</h2></summary><p>${ANSWER}</p></details>`),
      [`# ${ASK}`, ANSWER],
    );
  });

  it('reads tabs, each after its name', async () => {
    for (const [tab, panel] of [
      ['role="tab" aria-controls="ID"', 'role="tabpanel" hidden'],
      ['data-bs-toggle="tab" data-bs-target="#ID"', 'class="tab-pane fade"'],
      ['role="tab" href="#ID"', 'style="display:none"'],
    ] as const) {
      const buildTab = (id: string, name: string) =>
        tab.includes('href')
          ? `<a ${tab.replace('ID', id)}>${name}</a>`
          : `<button ${tab.replace('ID', id)}>${name}</button>`;
      const tabs = `<div role="tablist">${buildTab('t1', 'Sizes')}${buildTab('t2', 'Delivery')}</div><div id="t1" ${panel}><p>From 20 to 45.</p></div><div id="t2" ${panel}><p>${ANSWER}</p></div>`;
      assert.deepEqual(await readBetween(tabs), ['Sizes', 'From 20 to 45.', 'Delivery', ANSWER], tab);
    }
  });

  it('reads the rest of a paragraph that a button shows', async () => {
    assert.deepEqual(
      await readBetween(
        `<p>Refunds take time.<span id="more" style="display:none"> ${ANSWER}</span></p><button onclick="show()">Read more</button>`,
      ),
      [`Refunds take time. ${ANSWER}`],
    );
  });

  it('omits text that no visitor can open', async () => {
    for (const attribute of hiding.filter((value) => !value.includes('until-found'))) {
      assert.deepEqual(
        await readBetween(`<p>Post</p><div ${attribute}><p>${ANSWER}</p></div>`),
        ['Post'],
        attribute,
      );
    }
    for (const hidden of [
      `<template><p>${ANSWER}</p></template>`,
      `<script type="text/template"><p>${ANSWER}</p></script>`,
      `<form><input name="q"><button>Send</button><div hidden>${ANSWER}</div></form>`,
      `<button>Save</button><div role="status" hidden>${ANSWER}</div>`,
      `<p>Post</p><span style="display:none">${ANSWER}</span>`,
      `<p><a href="#note">Post</a></p><div hidden>${ANSWER}</div><p id="note">Boats</p>`,
      `<ul class="slick"><li class="slick-slide">Boats</li><li class="slick-slide slick-cloned" aria-hidden="true">Boats</li></ul>`,
      `<p>Post <i class="material-icons" aria-hidden="true">expand_more</i></p>`,
    ]) {
      const blocks = (await readBetween(hidden)).join(' ').replace(/^[-\s]+/, '');
      assert.ok(['', 'Post', 'Boats', 'Post Boats'].includes(blocks), `${hidden}: ${blocks}`);
    }
  });

  it('omits a menu that a button opens, but not links in an answer', async () => {
    const menu = '<ul id="m" hidden><li><a href="/a">Boats</a></li><li><a href="/b">Lockers</a></li></ul>';
    const button = '<button aria-controls="m" aria-expanded="false">Downloads</button>';
    assert.deepEqual(await readBlocks(`${button}${menu}<main><h1>Boats</h1><p>${PROSE}</p></main>`), [
      '# Boats',
      PROSE,
    ]);
    assert.deepEqual(await readBetween(`${button}${menu}`), ['Downloads', '-   Boats\n-   Lockers']);
  });

  it('reads a page that a script reveals', async () => {
    const expected = ['# Refunds', PROSE, ANSWER];
    const content = `<h1>Refunds</h1><p>${PROSE}</p><p>${ANSWER}</p>`;
    for (const page of [
      `<div id="loader">Loading</div><div id="app" style="display:none"><main>${content}</main></div>`,
      `<div class="modal">We use cookies. ${'Accept them. '.repeat(40)}</div><div id="page" aria-hidden="true"><main>${content}</main></div>`,
      `<div style="visibility:hidden">${content}</div>`,
    ]) {
      assert.deepEqual((await readBlocks(page)).slice(-3), expected, page);
    }
  });
});

describe('extractDocument of a page without running its scripts', () => {
  it('reads content in noscript, but not notices about scripts or copies of content that the page already has', async () => {
    assert.deepEqual(await readBetween(`<noscript><p>${ANSWER}</p><p>By post.</p></noscript>`), [
      ANSWER,
      'By post.',
    ]);
    for (const noscript of [
      'You need to enable JavaScript to run this app.',
      'Bitte aktivieren Sie Skripte in Ihrem Browser, um diese Seite zu sehen.',
      `<p>${PROSE}</p>`,
      '<img src="/a.png" alt="A picture of many boats in the harbour">',
      '<iframe src="https://tags.test/">A counter of visits to this page</iframe>',
      '<a href="?page=2">The next page of this long list of boats</a>',
    ]) {
      assert.deepEqual(await readBetween(`<noscript>${noscript}</noscript>`), [], noscript);
    }
  });

  it('reads declarative shadow roots, with the children of the host in their slots', async () => {
    const page = `<x-card><template shadowrootmode="open"><style>p{}</style><p><slot name="title">None</slot></p><div><slot></slot></div><slot name="foot"><p>Since 1990.</p></slot></template><b slot="title">Fees</b><p>${ANSWER}</p></x-card>`;
    assert.deepEqual(await readBetween(page), ['**Fees**', ANSWER, 'Since 1990.']);
    assert.deepEqual(
      await readBetween(
        `<x-a><template shadowrootmode="closed"><x-b><template shadowroot="open"><p>${ANSWER}</p></template></x-b></template><p>Not shown</p></x-a>`,
      ),
      [ANSWER],
    );
  });
});

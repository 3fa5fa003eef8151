import assert from 'node:assert/strict';
import { describeCall } from '../../widget/faults/call-faults.ts';
import { listPageFaults } from '../../widget/faults/page-faults.ts';

describe('listPageFaults', () => {
  it('names unknown settings and attributes, with similar or all known names', () => {
    const settings = { identitytoken: 'x', visitor_id: 'y', onbook: 1, size: 5 };
    const attributes = { bot: 'pk_1', identitytoken: 'abc', lang: 'fr', visitorId: '7' };
    assert.deepEqual(listPageFaults({ settings, attributes, globals: [] }, settings), [
      'ParleySettings.identitytoken is not a known key and is ignored. Did you mean identityToken?',
      'ParleySettings.visitor_id is not a known key and is ignored. Did you mean visitorId?',
      'ParleySettings.onbook is not a known key and is ignored. Did you mean onBook?',
      'ParleySettings.size is not a known key and is ignored. Known keys: identityToken, visitorId, language, onBook.',
      'data-identitytoken is not a known attribute and is ignored. Did you mean data-identity-token?',
      'data-lang is not a known attribute and is ignored. Did you mean data-language?',
      'data-visitor-id is not a known attribute and is ignored. Did you mean ParleySettings.visitorId?',
    ]);
  });

  it('names options in the words of other widgets, with what to write or to set', () => {
    const attributes = {
      bot: 'pk_1',
      botid: '7',
      userId: '7',
      locale: 'fr',
      jwt: 'a.b.c',
      primaryColor: 'red',
      position: 'left',
    };
    const current = { locale: 'fr' };
    assert.deepEqual(
      listPageFaults(
        {
          settings: {},
          attributes,
          globals: ['Parley', 'ParleySettings', 'parleyLoaded', 'parleySettings', 'parley_config'],
        },
        current,
      ),
      [
        'window.parleySettings is ignored. Did you mean window.ParleySettings?',
        'window.parley_config is ignored. Did you mean window.ParleySettings?',
        'ParleySettings.locale is not a known key and is ignored. Did you mean language?',
        'data-botid is not a known attribute and is ignored. Did you mean data-bot?',
        'data-user-id is not a known attribute and is ignored. Did you mean ParleySettings.visitorId?',
        'data-locale is not a known attribute and is ignored. Did you mean data-language?',
        'data-jwt is not a known attribute and is ignored. Did you mean data-identity-token?',
        'data-primary-color is not a known attribute and is ignored. Set primary_color in the widget_theme of the bot.',
        'data-position is not a known attribute and is ignored. Set position in the widget_theme of the bot.',
      ],
    );
  });

  it('names a language that the widget lacks, and a visitorId or ParleySettings of a wrong type', () => {
    const settings = { language: 7, visitorId: 'x'.repeat(129) };
    assert.deepEqual(listPageFaults({ settings, attributes: {}, globals: [] }, {}), [
      'the widget has no language "7", only en, de, es, fr, it, nl, pt.',
      'visitorId must be a string of 1 to 128 characters; it is ignored.',
    ]);
    const current = Object.fromEntries(Object.entries('fr'));
    assert.deepEqual(listPageFaults({ settings: { visitorId: {} }, attributes: {}, globals: [] }, current), [
      'visitorId must be a string of 1 to 128 characters; it is ignored.',
      'ParleySettings must be an object, such as { language: "fr" }. It is ignored.',
    ]);
  });

  it('accepts known options, and attributes of other programs', () => {
    const settings = { identityToken: 'x', visitorId: 1, language: 'fr', onBook: () => true };
    const attributes = {
      bot: 'pk_1',
      identityToken: 'x',
      language: 'de',
      cfasync: 'false',
      turboTrack: 'reload',
    };
    assert.deepEqual(listPageFaults({ settings, attributes, globals: [] }, settings), []);
  });

  it('names options that were set after the script had run, and what to do', () => {
    const listLate = (settings: Record<string, unknown>, current: Record<string, unknown>) =>
      listPageFaults({ settings, attributes: { bot: 'pk_1' }, globals: [] }, current);
    const late =
      'was set after the widget’s script had read it, and is ignored. Set window.ParleySettings before the script runs';
    assert.deepEqual(
      listLate({ language: 'fr' }, { language: 'de', visitorId: 7, identityToken: () => 'x' }),
      [
        `ParleySettings.identityToken ${late}, or call Parley.identify(token).`,
        `ParleySettings.visitorId ${late}.`,
        `ParleySettings.language ${late}.`,
      ],
    );
    assert.deepEqual(listLate({ onBook: () => true, language: 'fr' }, { onBook: () => true }), []);
  });
});

describe('describeCall', () => {
  const cases: [name: 'on' | 'send', value: unknown, fault: string][] = [
    ['on', 'messages', 'Parley.on has no event "messages". Did you mean message?'],
    ['on', 'ready', 'Parley.on has no event "ready". Known events: open, close, message, status.'],
    ['on', undefined, 'Parley.on has no event undefined. Known events: open, close, message, status.'],
    ['on', 'open', 'Parley.on("open") has no listener. Write Parley.on("open", (data) => { … }).'],
    ['send', undefined, 'Parley.send takes a string, but received undefined, so nothing was sent.'],
    [
      'send',
      { content: 'Hi' },
      'Parley.send takes a string, but received a value of the type object, so nothing was sent.',
    ],
    [
      'send',
      Promise.resolve('Hi'),
      'Parley.send takes a string, but received a promise (await it), so nothing was sent.',
    ],
    [
      'send',
      'x'.repeat(20_001),
      'Parley.send received 20001 characters, but a message has at most 20000, so nothing was sent.',
    ],
  ];
  for (const [name, value, fault] of cases)
    it(`says “${fault}”`, () => assert.equal(describeCall(name, value), fault));
});

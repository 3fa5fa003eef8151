import assert from 'node:assert/strict';
import { listPageFaults } from '../../widget/faults/page-faults.ts';

describe('listPageFaults', () => {
  it('names unknown settings and attributes, with similar or all known ones', () => {
    const settings = { identitytoken: 'x', visitor_id: 'y', onbook: 1, color: 'red' };
    const attributes = { bot: 'pk_1', identitytoken: 'abc', lang: 'fr', visitorId: '7' };
    assert.deepEqual(listPageFaults({ settings, attributes }, settings), [
      'ParleySettings.identitytoken is not a known key and is ignored. Did you mean identityToken?',
      'ParleySettings.visitor_id is not a known key and is ignored. Did you mean visitorId?',
      'ParleySettings.onbook is not a known key and is ignored. Did you mean onBook?',
      'ParleySettings.color is not a known key and is ignored. Known keys: identityToken, visitorId, language, onBook.',
      'data-identitytoken is not a known attribute and is ignored. Did you mean data-identity-token?',
      'data-lang is not a known attribute and is ignored. Did you mean data-language?',
      'data-visitor-id is not a known attribute and is ignored. Did you mean ParleySettings.visitorId?',
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
    assert.deepEqual(listPageFaults({ settings, attributes }, settings), []);
  });

  it('names options that were set after the script had run, and what to do', () => {
    const listLate = (settings: Record<string, unknown>, current: Record<string, unknown>) =>
      listPageFaults({ settings, attributes: { bot: 'pk_1' } }, current);
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

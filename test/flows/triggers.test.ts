import assert from 'node:assert/strict';
import {
  chooseFlow,
  matchesPage,
  findNoAnswerFlow,
  parseTrigger,
  formatTrigger,
  type TriggerContext,
} from '../../core/flows/triggers.ts';

describe('triggers of flows', () => {
  for (const [text, normalised] of [
    ['first_message', 'first_message'],
    [' conversation_started ', 'conversation_started'],
    ['no_answer', 'no_answer'],
    ['keyword: Refund,  MONEY   back,refund', 'keyword:money back,refund'],
    ['keyword:b,a', 'keyword:a,b'],
    ['keyword:Ｒｅｆｕｎｄ!', 'keyword:refund'],
    ['page:/pricing**', 'page:/pricing*'],
    ['page:https://shop.example.com/*', 'page:https://shop.example.com/*'],
    ['keyword:', null],
    ['keyword: , ', null],
    ['keyword', null],
    ['page:', null],
    ['page:pricing', null],
    ['page:/a b', null],
    ['first_message:x', null],
    ['constructor', null],
    ['', null],
    [`keyword:${Array.from({ length: 21 }, (_, at) => `w${at}`).join()}`, null],
  ] as const)
    it(`are parsed into a canonical form: ${text.slice(0, 50)}`, () => {
      const trigger = parseTrigger(text);
      assert.equal(trigger && formatTrigger(trigger), normalised);
    });

  for (const [glob, address, fits] of [
    ['/pricing', 'https://a.example/pricing?x=1#y', true],
    ['/pricing', 'https://a.example/pricing/team', false],
    ['/pricing*', 'https://a.example/pricing/team', true],
    ['/*/team', 'https://a.example/pricing/team', true],
    ['/*/team', 'https://a.example/team', false],
    ['/a*a', 'https://a.example/a', false],
    ['/a*b*c', 'https://a.example/a-c-b-c', true],
    ['/a*b*c', 'https://a.example/a-c-b', false],
    ['https://a.example/*', 'https://a.example/', true],
    ['https://a.example/*', 'https://b.example/', false],
    ['/*', 'no address', false],
    [`/${'*a'.repeat(40)}`, `https://a.example/${'a'.repeat(2000)}b`, false],
  ] as const)
    it(`match pages with wildcards: ${glob.slice(0, 20)} and ${address.slice(0, 40)}`, () =>
      assert.equal(matchesPage(glob, address), fits));

  const flows = [
    'first_message',
    'conversation_started',
    'page:/pricing',
    'keyword:refund,返金',
    'no_answer',
  ].map((text) => ({ text, trigger: parseTrigger(text) }));
  const first: TriggerContext = { message: 'Hello', pageUrl: null, isFirst: true };
  const onPage = { ...first, pageUrl: 'https://a.example/pricing' };

  for (const [situation, chosen] of [
    [{ ...onPage, message: 'A Refund!' }, 'keyword:refund,返金'],
    [{ ...onPage, message: '返金したい' }, 'keyword:refund,返金'],
    [{ ...onPage, message: 'refunds' }, 'page:/pricing'],
    [onPage, 'page:/pricing'],
    [first, 'conversation_started'],
    [{ ...first, isFirst: false }, undefined],
    [{ ...onPage, isFirst: false }, undefined],
    [{ ...first, isFirst: false, message: 'refund' }, 'keyword:refund,返金'],
  ] as const)
    it(`choose ${chosen ?? 'no flow'} for ${JSON.stringify(situation)}`, () =>
      assert.equal(chooseFlow(flows, situation)?.text, chosen));

  it('choose first_message if no flow has conversation_started, and never a flow without a trigger', () => {
    assert.equal(chooseFlow(flows.slice(0, 1), first)?.text, 'first_message');
    assert.equal(chooseFlow([{ trigger: null }], first), undefined);
  });

  it('choose no_answer only after a search without results', () => {
    assert.equal(findNoAnswerFlow(flows)?.text, 'no_answer');
    assert.equal(chooseFlow(flows.slice(-1), first), undefined);
    assert.equal(findNoAnswerFlow(flows.slice(0, 4)), undefined);
  });
});

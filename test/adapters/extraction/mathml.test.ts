import assert from 'node:assert/strict';
import { readMathMl } from '../../../adapters/extraction/office/mathml.ts';
import type { XmlElement } from '../../../adapters/extraction/xml-tree.ts';
import { assertCpuBelow } from '../../support/cost.ts';

const build = (name: string, ...children: (XmlElement | string)[]): XmlElement => ({
  name,
  attributes: {},
  children,
});
const letter = (text: string) => build('mi', text);

describe('readMathMl', () => {
  it('reads accents, scripts and bounds', () => {
    assert.equal(readMathMl(build('mover', letter('x'), build('mo', '¯'))), 'x̄');
    assert.equal(readMathMl(build('msubsup', letter('x'), letter('i'), build('mn', '2'))), 'xᵢ²');
    assert.equal(readMathMl(build('msubsup', build('mo', '∑'), build('mn', '1'), letter('n'))), '∑_1^n');
  });

  // Deeply nested equations, because an earlier version read a child of each element twice, so that 40 levels
  // took 2⁴⁰ steps.
  for (const [name, nest] of [
    ['mover', (inner: XmlElement) => build('mover', letter('x'), inner)],
    ['msubsup', (inner: XmlElement) => build('msubsup', inner, letter('i'), letter('n'))],
  ] as const)
    it(`reads 40 nested ${name} in less than a second`, () => {
      let equation: XmlElement = letter('x');
      for (let depth = 0; depth < 40; depth += 1) equation = nest(equation);
      assertCpuBelow(1000, () => readMathMl(build('math', equation)));
    });
});

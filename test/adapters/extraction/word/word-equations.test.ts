import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readFieldEquation } from '../../../../adapters/extraction/office/word/field-equation.ts';
import { paragraph, readWordText, run } from './word-support.ts';

const math = (content: string) => `<m:oMath>${content}</m:oMath>`;
const r = (text: string) => `<m:r><w:rPr/><m:t>${text}</m:t></m:r>`;
const e = (content: string) => `<m:e>${content}</m:e>`;
const sup = (base: string, exponent: string) => `<m:sSup>${e(base)}<m:sup>${exponent}</m:sup></m:sSup>`;
const sub = (base: string, index: string) => `<m:sSub>${e(base)}<m:sub>${index}</m:sub></m:sSub>`;
const fraction = (over: string, under: string, type = '') =>
  `<m:f>${type && `<m:fPr><m:type m:val="${type}"/></m:fPr>`}<m:num>${over}</m:num><m:den>${under}</m:den></m:f>`;
const brackets = (content: string, properties = '') => `<m:d><m:dPr>${properties}</m:dPr>${content}</m:d>`;

describe('extractDocument of a Word document with equations', () => {
  it('writes equations as text', async () => {
    const cases: [content: string, text: string][] = [
      [r('A=πr²'), 'A=πr²'],
      [r('A=π') + sup(r('r'), r('2')), 'A=πr²'],
      [sup(r('x'), r('n+1')), 'x^(n+1)'],
      [sup(r('x'), r('n')) + r('y'), 'xⁿy'],
      [sup(r('f'), r('′')), 'f′'],
      [sup(brackets(e(r('a+b'))), r('2')), '(a+b)²'],
      [sup(fraction(r('a'), r('b')), r('2')), '(a/b)²'],
      [sub(r('H'), r('2')) + r('O'), 'H₂O'],
      [sub(r('x'), r('max')), 'x_max'],
      [`<m:sSubSup>${e(r('x'))}<m:sub>${r('1')}</m:sub><m:sup>${r('2')}</m:sup></m:sSubSup>`, 'x₁²'],
      [`<m:sPre><m:sub>${r('6')}</m:sub><m:sup>${r('14')}</m:sup>${e(r('C'))}</m:sPre>`, '¹⁴₆C'],
      [fraction(r('1'), r('2')), '1/2'],
      [fraction(r('a+b'), r('2a')), '(a+b)/(2a)'],
      [fraction(r('a'), r('b'), 'lin'), 'a/b'],
      [brackets(e(fraction(r('n'), r('k'), 'noBar'))), '(n¦k)'],
      [`<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(r('x+1'))}</m:rad>`, '√(x+1)'],
      [`<m:rad><m:deg>${r('3')}</m:deg>${e(r('8'))}</m:rad>`, '∛8'],
      [`<m:rad><m:deg>${r('n')}</m:deg>${e(r('x'))}</m:rad>`, 'ⁿ√x'],
      [
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r('i=1')}</m:sub><m:sup>${r('n')}</m:sup>${e(sub(r('x'), r('i')))}</m:nary>`,
        '∑_(i=1)^n xᵢ',
      ],
      [`<m:nary><m:sub>${r('0')}</m:sub><m:sup>${r('1')}</m:sup>${e(r('xdx'))}</m:nary>`, '∫_0^1 xdx'],
      [`<m:func><m:fName>${r('sin')}</m:fName>${e(r('x'))}</m:func>`, 'sin x'],
      [`<m:func><m:fName>${r('cos')}</m:fName>${e(fraction(r('x'), r('2')))}</m:func>`, 'cos(x/2)'],
      [
        `<m:func><m:fName><m:limLow>${e(r('lim'))}<m:lim>${r('x→0')}</m:lim></m:limLow></m:fName>${e(r('f'))}</m:func>`,
        'lim_(x→0) f',
      ],
      [
        brackets(e(r('a')) + e(r('b')), '<m:begChr m:val="["/><m:sepChr m:val=";"/><m:endChr m:val=""/>'),
        '[a;b',
      ],
      [
        brackets(e(`<m:m><m:mr>${e(r('1'))}${e(r('0'))}</m:mr><m:mr>${e(r('0'))}${e(r('1'))}</m:mr></m:m>`)),
        '(1, 0; 0, 1)',
      ],
      [`<m:eqArr>${e(r('x&amp;=1'))}${e(r('y&amp;=2'))}</m:eqArr>`, 'x=1; y=2'],
      [`<m:acc>${e(r('x'))}</m:acc>`, 'x̂'],
      [`<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(r('x'))}</m:bar>`, 'x̄'],
      [`<m:borderBox>${e(r('E=m') + sup(r('c'), r('2')))}</m:borderBox>`, 'E=mc²'],
      [r('𝑎 = 𝜋'), 'a = π'],
      [`<w:del>${r('old')}</w:del><w:ins>${r('new')}</w:ins>`, 'new'],
      [`<m:r><m:rPr/><w:rPr><w:vanish/></w:rPr><m:t>secret</m:t></m:r>${r('x')}`, 'x'],
    ];
    for (const [content, text] of cases)
      assert.equal(await readWordText(paragraph(math(content))), text.normalize('NFC'), content);
  });

  it('keeps equations within sentences, in lines of their own, and in tables', async () => {
    const area = math(r('A=π') + sup(r('r'), r('2')));
    assert.equal(
      await readWordText(paragraph(run('area: ') + area + run(' as usual'))),
      'area: A=πr² as usual',
    );
    assert.equal(
      await readWordText(paragraph(`<m:oMathPara>${area}${math(r('b=1'))}</m:oMathPara>`)),
      'A=πr² b=1',
    );
    assert.equal(await readWordText(paragraph(math(r('a=b')) + math(r('c=d')))), 'a=b c=d');
    const table = `<w:tbl><w:tr><w:tc>${paragraph(run('Area'))}</w:tc><w:tc>${paragraph(area)}</w:tc></w:tr></w:tbl>`;
    assert.equal(await readWordText(table), '| Area | A=πr² |\n| --- | --- |');
  });

  it('reads through unknown elements, even those with names of built-in methods', async () => {
    for (const name of ['constructor', 'toString', 'valueOf', '__proto__']) {
      const equation = math(r('a+') + `<m:${name}>${r('b')}</m:${name}>` + r('+c'));
      assert.equal(await readWordText(paragraph(equation)), 'a+b+c');
    }
  });

  it('reads the field EQ of old documents', () => {
    const cases: [instruction: string, text: string][] = [
      ['\\f(1,2)', '1/2'],
      ['\\r(3,x)', '∛x'],
      ['\\r(constructor,x)', '^constructor√x'],
      ['\\r(x+1)', '√(x+1)'],
      ['x\\s\\up5(2)', 'x²'],
      ['\\i\\su(i=1,n,x)', '∑_(i=1)^n x'],
      ['\\b(\\f(a,b))', '(a/b)'],
      ['\\a\\al\\co2(1,2)', '1, 2'],
      ['\\f(1', '1/()'],
      [`${'\\f('.repeat(5000)}1`, ''],
    ];
    for (const [instruction, text] of cases) assert.equal(readFieldEquation(instruction), text);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  createNumberStyle,
  formatNumber,
  formatText,
} from '../../../../adapters/extraction/office/sheet-values.ts';
import { assertCpuBelow } from '../../../support/cost.ts';
import { itInSoak } from '../../../support/it-in-soak.ts';

describe('formatNumber', () => {
  const createStyle = (pattern: string) => createNumberStyle(164, new Map([[164, pattern]]));
  const formatWith = (value: string, pattern: string) => formatNumber(value, createStyle(pattern), false);

  const assertFormats = (cases: [value: string, pattern: string, text: string][]) => {
    for (const [value, pattern, text] of cases)
      assert.equal(formatWith(value, pattern), text, `${value} as ${pattern}`);
  };

  it('groups digits, and scales percentages, thousands and millions', () => {
    assertFormats([
      ['1234.5', '#,##0.00', '1,234.50'],
      ['1234567', '#,##0', '1,234,567'],
      ['0.5', '0%', '50%'],
      ['0.1234', '0.0%', '12.3%'],
      ['2500000', '0.0,,"M"', '2.5M'],
      ['7', '00000', '00007'],
      ['1e20', '#,##0', '100,000,000,000,000,000,000'],
      ['12345', '0.00E+00', '1.23E+04'],
      ['12345', '##0.0E+0', '12.3E+3'],
      ['123456789', '(000) 000-0000', '(012) 345-6789'],
    ]);
  });

  it('chooses the section of a pattern by sign, zero and condition', () => {
    assertFormats([
      ['-5', '#,##0.00;[Red]-#,##0.00', '-5.00'],
      ['-5', '0.0;(0.0)', '(5.0)'],
      ['0', '0;-0;"none"', 'none'],
      ['42', ';;;', ''],
      ['1', '"Yes";"No";"No"', 'Yes'],
      ['0', '"Yes";"No";"No"', 'No'],
      ['1021.02', '[>999999]#,,"M";[>999]#,"K";#', '1K'],
      ['15', '[>=10]"many";[<10]"few"', 'many'],
    ]);
  });

  it('adds literals and currencies, with the point and comma of the pattern', () => {
    assertFormats([
      ['19.9', '_-* #,##0.00 [$€-407]_-', '19.90 €'],
      ['1234.5', '#,##0.00\\ "€"', '1,234.50 €'],
      ['19.9', '[$£-809]#,##0.00', '£19.90'],
      ['1234567.891', '#,##0.00 [$₽-419]', '1,234,567.89 ₽'],
      ['1234.5', '[$-407]#,##0.00', '1,234.50'],
      ['3', '0 "pcs."', '3 pcs.'],
      ['42', 'General" kg"', '42 kg'],
      ['5', '\\#0', '#5'],
    ]);
  });

  it('writes fractions', () => {
    assertFormats([
      ['0.5', '# ?/?', '1/2'],
      ['2.75', '# ??/??', '2 3/4'],
      ['3.95', '# ??/??', '3 19/20'],
      ['-0.95', '# ??/??', '-19/20'],
      ['1.95', '# ?/?', '2'],
      ['2.99', '# ?/8', '3'],
      ['0.25', '# ?/8', '2/8'],
    ]);
  });

  it('shows all digits of whole numbers without a format, and rounds others as Excel does', () => {
    assertFormats([
      ['4006381333931', 'General', '4006381333931'],
      ['1.1000000000000001', 'General', '1.1'],
      ['0.30000000000000004', 'General', '0.3'],
      ['1.3333333333333333', 'General', '1.333333333'],
      ['3e-104', 'General', '3E-104'],
      ['7', '@', '7'],
      ['7', '__proto__', '7'],
    ]);
  });

  it('shows dates as written, and adds the date of ISO 8601 with its known parts', () => {
    assertFormats([
      ['46082', 'dd/mm/yyyy', '01/03/2026 (2026-03-01)'],
      ['46082.604166666664', 'd.m.yy h:mm', '1.3.26 14:30 (2026-03-01)'],
      ['46082', 'mmm yyyy', 'Mar 2026 (2026-03)'],
      ['46082', 'yyyy', '2026'],
      ['46082', 'dddd', 'Sunday (2026-03-01)'],
      ['46082', '[$-407]dddd, d. mmmm yyyy', 'Sonntag, 1. März 2026 (2026-03-01)'],
      ['46082', '[$-40C]d mmmm yyyy', '1 mars 2026 (2026-03-01)'],
      ['46082', '[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'Sunday, March 01, 2026 (2026-03-01)'],
      ['46082', 'yyyy"年"m"月"d"日"', '2026年3月1日 (2026-03-01)'],
      ['46082.5', 'm/d/yy h:mm AM/PM;@', '3/1/26 12:00 PM (2026-03-01)'],
      ['46082', 'yyyy-mm-dd', '2026-03-01'],
      ['1', 'yyyy-mm-dd', '1900-01-01'],
      ['59', 'yyyy-mm-dd', '1900-02-28'],
      ['61', 'yyyy-mm-dd', '1900-03-01'],
      ['-3', 'yyyy-mm-dd', '-3'],
      ['2958466', 'yyyy-mm-dd', '2958466'],
      ['12', '0 "days"', '12 days'],
    ]);
  });

  it('shows times of day and elapsed time', () => {
    assertFormats([
      ['0.75', 'hh:mm AM/PM', '06:00 PM'],
      ['0.75', 'h:mm', '18:00'],
      ['0.0001', 'mm:ss.0', '00:08.6'],
      ['1.5', '[h]:mm', '36:00'],
      ['1.5', '[mm]:ss', '2160:00'],
      ['0.75', '[$-F400]h:mm:ss\\ AM/PM', '6:00:00 PM'],
    ]);
  });

  it('follows formats that files name by number', () => {
    const cases: [value: string, id: number, text: string][] = [
      ['-1234.5', 7, '($1,234.50)'],
      ['0.125', 10, '12.50%'],
      ['12345', 11, '1.23E+04'],
      ['0.5', 12, '1/2'],
      ['46082', 14, '2026-03-01'],
      ['46082', 15, '1-Mar-26 (2026-03-01)'],
      ['46082', 17, 'Mar-26 (2026-03)'],
      ['0.75', 18, '6:00 PM'],
      ['0.75', 20, '18:00'],
      ['46082.604166666664', 22, '2026-03-01 14:30'],
      ['-1234', 37, '(1,234)'],
      ['0', 43, '-'],
      ['1234.5', 44, '$1,234.50'],
      ['1.5', 46, '36:00:00'],
      ['46082', 57, '2026-03-01'],
    ];
    for (const [value, id, text] of cases)
      assert.equal(formatNumber(value, createNumberStyle(id, new Map()), false), text, `${value} as ${id}`);
  });

  it('counts dates, but not durations, from 1904 if the workbook is set to 1904', () => {
    assert.equal(formatNumber('0', createNumberStyle(14, new Map()), true), '1904-01-01');
    assert.equal(formatNumber('100', createStyle('dd.mm.yyyy'), true), '10.04.1904 (1904-04-10)');
    assert.equal(formatNumber('1.5', createStyle('[h]:mm'), true), '36:00');
    assert.equal(formatNumber('0.5', createStyle('h:mm'), true), '12:00');
  });

  it('leaves texts to formatText, which formats them by the fourth section', () => {
    const cases: [pattern: string, text: string][] = [
      ['General', 'tea'],
      ['@', 'tea'],
      ['0.00', 'tea'],
      [';;;', ''],
      ['0;0;0;@" shop"', 'tea shop'],
      ['"Dear "@', 'Dear tea'],
    ];
    for (const [pattern, text] of cases) assert.equal(formatText('tea', createStyle(pattern)), text, pattern);
  });

  itInSoak('formats a number quickly with any format', () => {
    for (const pattern of [
      '0'.repeat(255),
      '#,'.repeat(120),
      '[$'.repeat(120),
      '"'.repeat(255),
      '?/'.repeat(127),
      '[h]'.repeat(80),
      'General'.repeat(36),
      '0E+0'.repeat(60),
      '0'.repeat(100_000),
      '#,'.repeat(50_000),
      '"'.repeat(100_001),
      '[$'.repeat(50_000),
    ]) {
      assertCpuBelow(500, () => formatWith('1.5', pattern), pattern.slice(0, 10));
    }
  });
});

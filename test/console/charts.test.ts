import assert from 'node:assert/strict';
import {
  toChartCsv,
  hasNoValues,
  stackSeries,
  describeChart,
  type ChartData,
} from '../../console/components/charts/chart-data.ts';

const plain = String;

function buildChartData(values: Record<string, (number | null)[]>, rowName = 'Day'): ChartData {
  const series = Object.entries(values).map(([name, numbers]) => ({ name, values: numbers }));
  const rows = series[0]!.values.map((_, index) => ({ name: `${rowName} ${index + 1}` }));
  return { rowName, rows, series };
}

describe('a chart of the console', () => {
  it('reads out all rows if they are few, and otherwise the lowest, the highest with its day, and the last', () => {
    const few = buildChartData({ Ratings: [3, 0, 5] }, 'Star');
    assert.equal(
      describeChart('Ratings', few, plain),
      'Ratings, Star 1 to Star 3. Ratings: Star 1 3, Star 2 0, Star 3 5.',
    );
    const many = buildChartData({
      Begun: [4, 9, 2, 9, 1, 0, 3, 6],
      Resolved: Array.from({ length: 8 }, () => null),
    });
    assert.equal(
      describeChart('Conversations', many, (value) => `${value} c`),
      'Conversations, Day 1 to Day 8. Begun: from 0 c to 9 c (Day 2), 6 c at the end. Resolved: no data.',
    );
  });

  it('is empty if every figure is zero or null', () => {
    assert.equal(hasNoValues(buildChartData({ Begun: [0, null], Resolved: [null, 0] })), true);
    assert.equal(hasNoValues(buildChartData({ Begun: [0, null], Resolved: [null, 1] })), false);
  });

  it('stacks bars in reverse order with cumulative heights, and omits null figures', () => {
    assert.deepEqual(stackSeries(buildChartData({ A: [1, 2], B: [10, null], C: [100, 0] }).series), [
      { name: 'C', values: [111, 2] },
      { name: 'B', values: [11, 2] },
      { name: 'A', values: [1, 2] },
    ]);
  });

  it('downloads a file of its data, in which no name can run as a formula', () => {
    const data = buildChartData({ '=1+1': [1, null], 'Cost, $': [0.5, 1234] });
    assert.equal(toChartCsv(data), `Day,'=1+1,"Cost, $"\r\nDay 1,1,0.5\r\nDay 2,,1234\r\n`);
  });

  for (const name of ['=1+1', '+49 30', '-1', '@Guide', ' =A1', '＝1'])
    it(`downloads a file in which a bot named ${JSON.stringify(name)} is plain text`, () =>
      assert.equal(toChartCsv(buildChartData({ [name]: [-1] }, 'Day')), `Day,'${name}\r\nDay 1,-1\r\n`));
});

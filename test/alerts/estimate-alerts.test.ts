import assert from 'node:assert/strict';
import { alertPrice, parseAlertPrices } from '../../core/alerts/alert-prices.ts';
import {
  estimateAlerts,
  type AlertSelection,
  type HourlyCount,
} from '../../services/alerts/estimate-alerts.ts';

const plan: AlertSelection = {
  digest: 'none',
  digestHour: 9,
  digestWeekday: 1,
  timezone: 'UTC',
  dailyCap: null,
  immediate: ['lead.captured', 'handoff.requested'],
  digested: ['lead.captured', 'handoff.requested', 'document.indexed'],
};

const at = (hour: string, count: number, name = 'lead.captured'): HourlyCount => ({
  hour: new Date(`${hour}:00:00Z`),
  name,
  count,
});

describe('estimateAlerts', () => {
  it('groups events within an hour, and extrapolates observed days to a month', () => {
    const counts = [
      at('2026-11-02T10', 60),
      at('2026-11-02T10', 60, 'handoff.requested'),
      at('2026-11-03T10', 12),
      at('2026-11-03T11', 500, 'document.indexed'),
    ];
    assert.deepEqual(estimateAlerts(plan, counts, 30), {
      events: 132,
      // events of an hour, divided by one plus the events within 30 seconds: 120 / (1 + 1) and 12 / (1 + 0.1)
      messagesPerMonth: 70.91,
      digestsPerMonth: 0,
      cappedDays: 0,
      byEvent: [
        { event: 'lead.captured', count: 72 },
        { event: 'handoff.requested', count: 60 },
      ],
    });
    assert.equal(estimateAlerts(plan, counts, 10).messagesPerMonth, 212.73);
  });

  it('limits the messages of each local day to the cap, plus a summary of the rest', () => {
    const counts = [at('2026-11-02T22', 60), at('2026-11-02T23', 60), at('2026-11-03T10', 60)];
    const estimateCapped = (timezone: string) => {
      const { messagesPerMonth, cappedDays } = estimateAlerts(
        { ...plan, dailyCap: 45, timezone },
        counts,
        30,
      );
      return [messagesPerMonth, cappedDays];
    };
    assert.deepEqual(estimateCapped('UTC'), [86, 1]);
    assert.deepEqual(estimateCapped('Europe/Berlin'), [86, 1]);
    assert.deepEqual(estimateCapped('Asia/Tokyo'), [46, 1]);
    assert.deepEqual(estimateCapped('America/New_York'), [86, 1]);
  });

  it('limits a policy without a cap to 2,000 messages a day', () => {
    const counts = Array.from({ length: 24 }, (_hour, hour) =>
      at(`2026-11-02T${String(hour).padStart(2, '0')}`, 10_000_000),
    );
    // at most 120 messages in each of 24 hours
    const { messagesPerMonth, cappedDays } = estimateAlerts(plan, counts, 30);
    assert.deepEqual([messagesPerMonth, cappedDays], [2001, 1]);
  });

  it('counts the digests that would have had content', () => {
    const counts = [
      at('2026-11-02T08', 1, 'document.indexed'),
      at('2026-11-02T09', 1, 'document.indexed'),
      at('2026-11-03T08', 5),
      at('2026-11-05T20', 1, 'contact.updated'),
    ];
    const digests = (digest: 'daily' | 'weekly', days = 30) =>
      estimateAlerts({ ...plan, digest }, counts, days).digestsPerMonth;
    assert.equal(digests('daily'), 2);
    assert.equal(digests('daily', 15), 4);
    assert.equal(digests('daily', 1), 30);
    assert.equal(digests('weekly'), 2);
    assert.equal(digests('weekly', 7), 4.29);
  });

  it('counts events that appear only in digests, if no event is sent immediately', () => {
    const counts = [at('2026-11-02T10', 3), at('2026-11-02T10', 9, 'document.indexed')];
    const { byEvent, events, messagesPerMonth } = estimateAlerts({ ...plan, immediate: [] }, counts, 30);
    assert.deepEqual(
      byEvent.map(({ event }) => event),
      ['document.indexed', 'lead.captured'],
    );
    assert.deepEqual([events, messagesPerMonth], [12, 0]);
  });

  it('returns zeros without events', () => {
    const nothing = { events: 0, messagesPerMonth: 0, digestsPerMonth: 0, cappedDays: 0, byEvent: [] };
    assert.deepEqual(estimateAlerts({ ...plan, digest: 'daily' }, [], 1), nothing);
  });
});

describe('PARLEY_ALERT_PRICES', () => {
  const prices = parseAlertPrices(
    '{"whatsapp":{"4":0.5,"49":0.06,"+4930":0.07,"*":0.03},"telegram":{"*":0.001}}',
  )!;

  it('sets the price of the longest matching calling code, or else of `*`, and 0 without an entry', () => {
    const price = (destination: string) => alertPrice(prices, { channel: 'whatsapp', destination });
    assert.deepEqual(
      ['+4930123456', '+49401234', '+48221234', '+12025550100'].map(price),
      [0.07, 0.06, 0.5, 0.03],
    );
    assert.equal(alertPrice(prices, { channel: 'telegram', destination: '-100493012' }), 0.001);
    assert.equal(alertPrice({}, { channel: 'whatsapp', destination: '+491' }), 0);
  });

  it('is refused if it is not a table of prices', () => {
    for (const bad of [
      '',
      '[]',
      '{"sms":{}}',
      '{"whatsapp":{"49":-1}}',
      '{"whatsapp":{"49":"1"}}',
      '{"whatsapp":0.1}',
    ])
      assert.equal(parseAlertPrices(bad), null, bad);
  });
});

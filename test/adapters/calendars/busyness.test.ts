import assert from 'node:assert/strict';
import { buildCalendar, OWNER, readBusy, readEvents } from './busy-reading.ts';

const EVENT = ['DTSTART:20261208T110000Z', 'DTEND:20261208T120000Z'];
const DAY = ['DTSTART;VALUE=DATE:20261208'];
const ORGANIZED = 'ORGANIZER:mailto:boss@example.com';

function invite(answer: string, value = `mailto:${OWNER}`, parameters = ''): string[] {
  const partstat = answer === '' ? '' : `;PARTSTAT=${answer}`;
  return [...EVENT, ORGANIZED, `ATTENDEE${partstat}${parameters}:${value}`];
}

const isBusy = (lines: readonly string[], kinds = {}) => readEvents([lines], kinds).length === 1;

describe('expandEvents counts an event as busy', () => {
  const lines: [what: string, lines: string[], expected: boolean][] = [
    ['by default', EVENT, true],
    ['unless it is transparent', [...EVENT, 'TRANSP:TRANSPARENT'], false],
    ['unless it is transparent in lower case', [...EVENT, 'TRANSP:transparent '], false],
    ['if it is opaque', [...EVENT, 'TRANSP:OPAQUE'], true],
    ['unless Outlook calls it free', [...EVENT, 'TRANSP:OPAQUE', 'X-MICROSOFT-CDO-BUSYSTATUS:FREE'], false],
    ['if Outlook calls it tentative', [...EVENT, 'X-MICROSOFT-CDO-BUSYSTATUS:TENTATIVE'], true],
    ['if Outlook calls the owner away', [...EVENT, 'X-MICROSOFT-CDO-BUSYSTATUS:OOF'], true],
    ['unless it is canceled', [...EVENT, 'STATUS:CANCELLED'], false],
    ['if it is tentative', [...EVENT, 'STATUS:TENTATIVE'], true],
    ['if the owner has accepted it', invite('ACCEPTED'), true],
    ['if the owner has tentatively accepted it', invite('TENTATIVE'), true],
    ['if the owner has not answered', invite('NEEDS-ACTION'), true],
    ['unless the owner has declined it', invite('DECLINED'), false],
    [
      'unless the owner has declined it by an address in other letter case',
      invite('declined', 'MAILTO:Ada@Example.com'),
      false,
    ],
    [
      'unless the owner, named by an id and EMAIL, has declined it',
      invite('DECLINED', '/principals/1/', `;EMAIL=${OWNER}`),
      false,
    ],
    [
      'if an attendee other than the owner has declined it',
      invite('DECLINED', 'mailto:bob@example.com'),
      true,
    ],
    [
      'if the owner has accepted it by one of two addresses',
      [...invite('DECLINED'), `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${OWNER}`],
      true,
    ],
  ];
  for (const [what, event, expected] of lines) it(what, () => assert.equal(isBusy(event), expected));

  it('unless its calendar object has METHOD:CANCEL', () => {
    const text = buildCalendar(EVENT).replace('VERSION:2.0', 'VERSION:2.0\r\nMETHOD:CANCEL');
    assert.deepEqual(readBusy(text).busy, []);
  });

  it('unless it lasts whole days and doAllDayEventsBlock is false', () => {
    const kinds = { doAllDayEventsBlock: false };
    assert.equal(isBusy(DAY), true);
    assert.equal(isBusy(DAY, kinds), false);
    assert.equal(isBusy(['DTSTART:20261208', 'DTEND:20261210'], kinds), false);
    const outlook = ['DTSTART:20261208T000000', 'DTEND:20261209T000000'];
    assert.equal(isBusy([...outlook, 'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE'], kinds), false);
    assert.equal(isBusy(outlook, kinds), true);
    assert.equal(isBusy(EVENT, kinds), true);
  });

  it('unless it is an unanswered invitation and doUnansweredInvitationsBlock is false', () => {
    const kinds = { doUnansweredInvitationsBlock: false };
    assert.equal(isBusy(invite('NEEDS-ACTION'), kinds), false);
    assert.equal(isBusy(invite(''), kinds), false);
    assert.equal(isBusy(invite('ACCEPTED'), kinds), true);
    assert.equal(isBusy(invite('TENTATIVE'), kinds), true);
    assert.equal(isBusy(invite('NEEDS-ACTION', 'mailto:bob@example.com'), kinds), true);
    const own = invite('NEEDS-ACTION').map((line) => line.replace('boss@example.com', OWNER));
    assert.equal(isBusy(own, kinds), true);
    assert.equal(isBusy(EVENT, kinds), true);
  });

  it('in each occurrence that the owner has not declined', () => {
    const series = ['UID:s', ...invite('ACCEPTED'), 'RRULE:FREQ=DAILY;COUNT=2'];
    const declined = ['UID:s', 'RECURRENCE-ID:20261209T110000Z', ...invite('DECLINED')];
    const moved = declined.map((line) => line.replace(/^(DT.*)20261208/, '$120261209'));
    assert.deepEqual(readEvents([series, moved]), ['2026-12-08 11:00-12:00']);
  });
});

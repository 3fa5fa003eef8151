import assert from 'node:assert/strict';
import { renderMeetingIcs, type MeetingFile } from '../../core/bookings/meeting-ics.ts';

function buildMeeting(overrides: Partial<MeetingFile> = {}): MeetingFile {
  return {
    method: 'REQUEST',
    uid: '0198a7e2-0000-7000-8000-000000000001',
    sequence: 0,
    isCancelled: false,
    start: new Date('2026-11-23T10:00:00Z'),
    end: new Date('2026-11-23T10:30:00Z'),
    stampedAt: new Date('2026-11-20T09:00:00Z'),
    summary: 'Viewing',
    description: 'Second floor',
    url: 'https://parley.example/m/1',
    organizer: { name: 'Acme', email: 'mail@parley.example' },
    attendee: { name: 'Rui', email: 'rui@example.com' },
    ...overrides,
  };
}

const findLines = (name: string, meeting: MeetingFile): string[] =>
  renderMeetingIcs(meeting)
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .filter((line) => line.startsWith(name));

describe('renderMeetingIcs', () => {
  const hostile = '\u202Eevil\u2066 one\u2028two\u2029three';

  it('removes text-direction controls from the summary and the description', () => {
    const meeting = buildMeeting({ summary: hostile, description: hostile });
    assert.deepEqual(findLines('SUMMARY', meeting), [String.raw`SUMMARY:evil one\ntwo\nthree`]);
    assert.deepEqual(findLines('DESCRIPTION', meeting), [String.raw`DESCRIPTION:evil one\ntwo\nthree`]);
  });

  it('removes text-direction controls, quotes and line separators from names', () => {
    const meeting = buildMeeting({
      organizer: { name: `"${hostile}"`, email: 'mail@parley.example' },
      attendee: { name: hostile, email: 'rui@example.com' },
    });
    assert.deepEqual(findLines('ORGANIZER', meeting), [
      'ORGANIZER;CN=evil one two three:mailto:mail@parley.example',
    ]);
    assert.deepEqual(findLines('ATTENDEE', meeting), [
      'ATTENDEE;CN=evil one two three;ROLE=REQ-PARTICIPANT;PARTSTAT=ACCEPTED;RSVP=FALSE:mailto:rui@example.com',
    ]);
  });
});

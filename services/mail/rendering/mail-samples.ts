import { attendeeWords, explainAttendeeMail } from '../../bookings/attendees/attendee-words.ts';
import { describePlanUsage } from '../notices/due-notices.ts';
import { describeKeyServiceFailure } from '../key-service-failure.ts';
import { newsWords } from '../notices/news-words.ts';
import { teamMeetingWords } from '../../bookings/team-meeting-words.ts';
import { visitorWords } from '../visitor-words.ts';
import { weekWords } from '../notices/week-words.ts';
import type { MailData } from './mail-templates.ts';
import { senderWords } from '../senders/sender-words.ts';

const name = 'Ada Okafor';
const orgName = 'Acme';
const botName = 'Guide';
const link = 'https://parley.example.com/console';
const conversationLink = `${link}#/inbox/0199a1b2-7c3d-7e4f-8a5b-6c7d8e9f0a1b?workspace=0199a1b2-6b2c-7d3e-8f4a-5b6c7d8e9f0a`;
const at = new Date('2026-11-21T14:05:00Z');
const invitation = {
  orgName,
  inviterName: 'Grace Obi',
  notice: senderWords.en.notice,
  role: 'member',
  link: 'https://parley.example.com/invitations?token=sample',
  expiresAt: new Date('2026-11-28T14:05:00Z'),
} as const;

const reply = {
  language: 'en',
  botName,
  subject: visitorWords.en.subject(botName),
  greeting: visitorWords.en.greeting,
  intro: visitorWords.en.intro(botName),
  replies: ['Grace:', 'We have found your bike.', 'It is waiting at the harbor.', ''],
  note: visitorWords.en.note,
  why: visitorWords.en.why(botName),
} as const;

const { en: team } = teamMeetingWords;
const teamMeeting = (kind: keyof typeof team.subjects) => ({
  language: 'en' as const,
  subject: team.subjects[kind]('23 November at 10:00'),
  greeting: team.greeting,
  intro: team.intros[kind](orgName),
  details: [
    `${team.when}: Monday, 23 November 2026, 10:00–10:30 (Africa/Lagos, GMT+1)`,
    `${team.what}: Viewing`,
  ],
  open: team.open,
  why: team.why,
  turnOff: team.turnOff,
  link: `${link}#/bookings`,
});

const { en: attendee } = attendeeWords;
const when = '23 November at 10:00';
const meeting = (kind: keyof typeof attendee.subjects) => ({
  language: 'en' as const,
  botName,
  subject: attendee.subjects[kind](when),
  greeting: attendee.greeting,
  intro: attendee.intros[kind],
  details: [
    `${attendee.when}: Monday, 23 November 2026, 10:00–10:30 (Africa/Lagos, GMT+1)`,
    `${attendee.about}: ${attendee.meeting(botName)}`,
  ],
  ownWords: ['We meet at the harbor.'],
  note: attendee.note,
  why: explainAttendeeMail(attendee, botName, kind),
  link: 'https://parley.example.com/meetings/sample',
  goOn: attendee.goOn,
});

/** Sample values for previews of the email templates. */
export const mailSamples: MailData = {
  verify_email: { name, lifetime: '24 hours', link },
  address_taken: { name, signInLink: link, resetLink: link },
  reset_password: { name, lifetime: '60 minutes', link },
  password_changed: { name },
  sign_in_code: { name, code: '042137', lifetime: '10 minutes' },
  identity_code: { provider: 'entra', code: '042137', lifetime: '10 minutes' },
  new_sign_in: { name, device: 'Firefox on Linux', place: 'Lagos, Nigeria', at },
  second_factor_changed: { name, isOn: true },
  invitation,
  invitation_reminder: invitation,
  alerts_blocked: {
    orgName: 'Acme Ltd',
    channel: 'Telegram',
    destination: 'Ada Lovelace (123456789)',
    reason: 'The bot was blocked in this chat.',
    link: 'https://parley.example.com/console#/alerts',
  },
  webhook_disabled: {
    orgName,
    url: 'https://hooks.example.com/parley',
    reason: 'The receiver responded with 410 Gone.',
    link,
  },
  calendar_failing: {
    orgName,
    account: 'ada@example.com (google)',
    reason: 'Google no longer grants access; connect the calendar again.',
    link,
  },
  key_service_failing: {
    orgName,
    meaning: describeKeyServiceFailure('refused'),
    reason: 'The key service refused the request with status 403.',
    link,
  },
  key_service_back: { orgName, link },
  handoff_requested: {
    orgName,
    botName,
    subject: 'Chidi Eze needs help: "My bike does not start."',
    visitor: 'Chidi Eze',
    messages: ['Chidi Eze: My bike does not start.', 'Guide: Is the battery charged?', 'Chidi Eze: Yes.'],
    page: 'https://shop.example.com/help',
    link: conversationLink,
  },
  note_mention: { orgName, authorName: 'Grace Obi', closing: '', link: conversationLink },
  lead_captured: {
    orgName,
    botName,
    contact: 'Chidi Eze',
    contactName: 'Chidi Eze',
    email: 'chidi@example.com',
    phone: '+234 801 234 5678',
    page: 'https://shop.example.com/prices',
    question: 'What does a day pass cost?',
    fields: ['Company: Eze Tours'],
    link: conversationLink,
  },
  content_failed: { orgName, botName, count: 2, failures: ['Prices.pdf: The file is damaged.'], link },
  usage_reached: {
    orgName,
    botName,
    percent: 80,
    used: 800,
    cap: 1000,
    meaning: 'Once all answers are used up, visitors get no more answers until the month ends (UTC).',
    link,
  },
  plan_used: {
    orgName,
    percent: 100,
    used: 2000,
    limit: 2000,
    meaning: describePlanUsage(100, 0),
    link,
  },
  team_reply: {
    ...reply,
    replies: [...reply.replies],
    link: 'https://shop.example.com/help',
    goOn: visitorWords.en.goOn('shop.example.com'),
  },
  team_reply_without_page: { ...reply, replies: [...reply.replies] },
  meeting_booked: teamMeeting('booked'),
  meeting_moved: teamMeeting('moved'),
  meeting_cancelled: teamMeeting('cancelled'),
  meeting_conflict: teamMeeting('conflict'),
  booking_confirmed: meeting('confirmed'),
  booking_moved: meeting('moved'),
  booking_reminder: meeting('reminder'),
  booking_cancelled: meeting('cancelled'),
  week_brought: {
    language: 'en',
    subject: weekWords.en.subject(orgName),
    greeting: weekWords.en.greeting,
    intro: weekWords.en.intro('16 November', '22 November'),
    report: [orgName, 'Conversations: 42 (the week before: 30)', 'Leads: 3 (the week before: 0)'],
    open: weekWords.en.open,
    why: weekWords.en.why,
    turnOff: weekWords.en.turnOff,
    link,
  },
  announcement: {
    language: 'en',
    subject: 'Meetings',
    markdown:
      'Visitors can **book meetings** now.\n\n- Connect a calendar\n- [Read more](https://parley.example.com/news)',
    ...newsWords.en,
  },
  account_deleted: { name },
  access_notice: {
    name,
    subject: 'An API key was created in Acme',
    intro: 'This was done in the workspace Acme:',
    items: ['“Website”, with the scopes bots:read, bots:write.'],
    actor: 'Grace Obi (grace@example.com)',
    place: '203.0.113.7, Firefox on Linux',
    at,
    advice: 'If your team did not mean to do this, undo it on the page “API keys” of the console.',
    button: 'Open the page “API keys”',
    link,
  },
  account_notice: {
    name,
    subject: 'An API key was created in your name',
    what: 'It is called “Website”, and works until it is revoked or expires.',
    orgName,
    place: '203.0.113.7',
    at,
    resetLink: link,
  },
  codes_paused: {
    name,
    codes: 'emailed codes',
    until: at,
    otherWays: 'Other ways to sign in still work.',
    resetLink: link,
  },
  password_reset: { name, access: 'Still valid: 2 API keys and sign-in with google.' },
  ownership_transferred: { orgName, name },
  workspace_deleted: { orgName, name, byName: 'Grace Obi' },
};

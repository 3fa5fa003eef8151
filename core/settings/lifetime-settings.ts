import { setting, count, type SettingDefinition } from './setting-definition.ts';

export const lifetimeSettings = {
  freshProofMinutes: setting(
    'Lifetimes',
    'PARLEY_FRESH_PROOF_MINUTES',
    count(
      10,
      1,
      1440,
      'How many minutes after signing in a person may do what gives lasting access or takes content out as a whole: invite, change roles, make API keys, link identity providers, set up a second factor, set a key service, export and the like.',
    ),
  ),
  accessTokenSeconds: setting(
    'Lifetimes',
    'PARLEY_ACCESS_TOKEN_SECONDS',
    count(
      900,
      10,
      86400,
      'How long an access token is good, in seconds. Sessions that were ended stop at once, whatever it is.',
    ),
  ),
  sessionIdleDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_IDLE_DAYS',
    count(
      30,
      1,
      3650,
      'Days after which a session ends that nobody has used: so long a refresh token is good.',
    ),
  ),
  sessionLongestDays: setting(
    'Lifetimes',
    'PARLEY_SESSION_LONGEST_DAYS',
    count(90, 1, 3650, 'Days after which a session ends however much it is used.'),
  ),
  mfaChallengeSeconds: setting(
    'Lifetimes',
    'PARLEY_MFA_CHALLENGE_SECONDS',
    count(300, 30, 3600, 'Time to enter the code of the second factor after the first one, in seconds.'),
  ),
  signInCodeSeconds: setting(
    'Lifetimes',
    'PARLEY_SIGN_IN_CODE_SECONDS',
    count(600, 60, 3600, 'How long a mailed sign-in code is good, in seconds.'),
  ),
  resetLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_RESET_LINK_SECONDS',
    count(1800, 60, 86400, 'How long a mailed link to set a new password is good, in seconds.'),
  ),
  verifyLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_VERIFY_LINK_SECONDS',
    count(86400, 60, 2592000, 'How long a mailed link to confirm an address is good, in seconds.'),
  ),
  identityAttemptSeconds: setting(
    'Lifetimes',
    'PARLEY_IDENTITY_ATTEMPT_SECONDS',
    count(600, 60, 3600, 'Time to come back from an identity provider, in seconds.'),
  ),
  invitationDays: setting(
    'Lifetimes',
    'PARLEY_INVITATION_DAYS',
    count(7, 1, 365, 'Days that the link of an invitation is good, counted from its mail.'),
  ),
  invitationReminderDays: setting(
    'Lifetimes',
    'PARLEY_INVITATION_REMINDER_DAYS',
    count(
      3,
      1,
      365,
      'Days after which an invitation that nobody has accepted is mailed once more; none where it has ended by then.',
    ),
  ),
  visitorTokenSeconds: setting(
    'Lifetimes',
    'PARLEY_VISITOR_TOKEN_SECONDS',
    count(1800, 120, 2592000, 'How long a visitor’s token is good after its last use, in seconds.'),
  ),
  conversationIdleSeconds: setting(
    'Lifetimes',
    'PARLEY_CONVERSATION_IDLE_SECONDS',
    count(
      1800,
      60,
      2592000,
      'Seconds without a message after which a conversation with the bot ends, unless a flow gives the visitor more time; looked at every five minutes.',
    ),
  ),
  handoffIdleSeconds: setting(
    'Lifetimes',
    'PARLEY_HANDOFF_IDLE_SECONDS',
    count(
      86400,
      1,
      31536000,
      'How long nobody has written in a conversation that waits for a person, or has one, before it ends, in seconds.',
    ),
  ),
  fileLinkSeconds: setting(
    'Lifetimes',
    'PARLEY_FILE_LINK_SECONDS',
    count(300, 10, 86400, 'How long a link to download a document’s original is good, in seconds.'),
  ),
  archiveKeptDays: setting(
    'Lifetimes',
    'PARLEY_ARCHIVE_KEPT_DAYS',
    count(7, 1, 30, 'How many days the files of an export can be downloaded.'),
  ),
  archivePatienceSeconds: setting(
    'Lifetimes',
    'PARLEY_ARCHIVE_PATIENCE_SECONDS',
    count(
      86400,
      1,
      2592000,
      'How long each step of an export or import waits for storage that is away or full before the job fails, in seconds.',
    ),
  ),
  mailLogDays: setting(
    'Lifetimes',
    'PARLEY_MAIL_LOG_DAYS',
    count(7, 3, 365, 'How many days mails, and what came of them, are kept.'),
  ),
  toolLogDays: setting(
    'Lifetimes',
    'PARLEY_TOOL_LOG_DAYS',
    count(30, 1, 365, 'How many days calls of the MCP server’s tools are kept.'),
  ),
} satisfies Record<string, SettingDefinition>;

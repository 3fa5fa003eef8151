import type { Bot, Conversation } from '../client/types.ts';

export interface SetupFacts {
  bots: readonly Pick<Bot, 'id' | 'status' | 'indexed_chunk_count'>[];
  conversations: readonly Pick<Conversation, 'page_url'>[];
  memberCount: number;
  invitationCount: number;
  hasTested: boolean;
  /** Origin of the console, whose demo page does not count as a page of the workspace. */
  origin: string;
}

export interface SetupStep {
  id: 'bot' | 'knowledge' | 'test' | 'embed' | 'invite';
  name: string;
  description: string;
  /** Label of the link to the page on which the user takes the step. */
  action: string;
  /** Path of the page on which the user takes the step; null until an earlier step is done. */
  segments: readonly string[] | null;
  /** Query of the URL of the page on which the user takes the step. */
  query?: Readonly<Record<string, string>>;
  isDone: boolean;
}

/** Returns the steps from an empty workspace to a live bot, and which of them are completed. */
export function listSetupSteps(facts: SetupFacts): SetupStep[] {
  const { bots, conversations, memberCount, invitationCount, hasTested, origin } = facts;
  const bot =
    bots.find(({ status }) => status === 'active') ?? bots.find(({ status }) => status !== 'archived');
  const toBot = (part: string): string[] | null => (bot === undefined ? null : ['bots', bot.id, part]);
  const isEmbedded = conversations.some(({ page_url: url }) => url !== null && !isOnOrigin(url, origin));
  return [
    {
      id: 'bot',
      name: 'Create your bot',
      description: 'Describe your business and get a draft that you can edit.',
      action: 'Create bot',
      segments: ['bots', 'new'],
      isDone: bot !== undefined,
    },
    {
      id: 'knowledge',
      name: 'Add knowledge',
      description: 'Upload files, or let Parley read your website. Answers cite their sources.',
      action: 'Add knowledge',
      segments: toBot('documents'),
      isDone: bots.some(({ indexed_chunk_count: count }) => count > 0),
    },
    {
      id: 'test',
      name: 'Test the answers',
      description: 'Ask what your visitors would ask, and see which passages were used.',
      action: 'Test bot',
      segments: toBot('playground'),
      isDone: hasTested || isEmbedded,
    },
    {
      id: 'embed',
      name: 'Add the chat to your website',
      description: 'Paste one line of code. This step is marked as done once a visitor opens your site.',
      action: 'Get the code',
      segments: toBot('embed'),
      isDone: isEmbedded,
    },
    {
      id: 'invite',
      name: 'Invite your team',
      description: 'Teammates answer when a visitor asks for a person.',
      action: 'Invite teammate',
      segments: ['team', 'invitations'],
      query: { dialog: 'invite' },
      isDone: memberCount > 1 || invitationCount > 0,
    },
  ];
}

function isOnOrigin(url: string, origin: string): boolean {
  return URL.canParse(url) && new URL(url).origin === origin;
}

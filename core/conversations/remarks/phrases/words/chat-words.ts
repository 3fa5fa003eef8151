/** Classes of words with which visitors talk to and about the bot. */
export const wordClasses = [
  /** Words for the visitor as an object: "me". */
  'me',
  /** Words for the bot or the chat: "you", "this is". */
  'you',
  /** Words that say or ask what the bot is: "are you", "this is". */
  'being',
  /** Words that ask how something can be done: "how can I". */
  'how',
  /** Words that ask whether something exists: "is there". */
  'exists',
  'not',
  /** Words with which the visitor wants something: "I want", "give". */
  'want',
  /** Verbs for talking to a person, or for connecting the visitor with one: "speak". */
  'contact',
  /** Verbs for answering or contacting the visitor, next to a word for the visitor: "call". */
  'call',
  /** Words for a person of the team: "someone", "support", and all words of `human`. */
  'person',
  /** Words that can only mean a person of the team: "agent". */
  'human',
  /** Words that alone are a request for a person of the team: "callback". */
  'handoff',
  /** Words for the present conversation: "talking". */
  'talking',
  'bot',
  'insult',
  /** Words that become criticism of the bot after `not`: "helpful". */
  'merit',
  /** Words of a complaint: "complaint", "disappointed". */
  'complain',
  'praise',
  'speak',
  /** Names of languages. */
  'language',
] as const;
export type WordClass = (typeof wordClasses)[number];

/**
 * Words and phrases of one language with which visitors talk to and about the bot, separated by `|`, in the form
 * that `splitIntoClauses` returns. `other` has all words that say nothing about a subject. A clause that contains
 * any other word is about something else, and may be a question.
 */
export type ChatWords = Record<WordClass | 'other', string>;

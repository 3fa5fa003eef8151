import { runToEnd } from '../../../core/concurrency/run-to-end.ts';
import type { Clock } from '../../../core/clock.ts';
import { hasPreviousTurns } from '../../../core/answers/follow-up.ts';
import {
  answerTexts,
  asksForMore,
  offersPerson,
  type AnswerTexts,
  type TextLanguage,
} from '../../../core/conversations/answer-texts.ts';
import type { Remark } from '../../../core/conversations/remarks/remark.ts';
import { recognizeRemark } from '../../../core/conversations/remarks/recognize-remark.ts';
import { cutText } from '../../../core/text/cut-text.ts';
import { isVisible } from '../../../core/text/visible-text.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import { listDirectoryEntries } from '../../flows/template-values.ts';
import { acceptsHandoffs } from '../handoff-hours.ts';
import { EMPTY_ANSWER, type Answer, type Answerer, type AnswerInput } from './answerer.ts';
import { detectVisitorLanguage } from './visitor-language.ts';

/** Maximum characters of the visitor's message that become the reason of a handoff request. */
const MAX_REASON_CHARS = 1000;
/** Maximum number of entries of the bot's directory that are shown to a visitor who asks for a person. */
const MAX_LINKS = 5;

/** Kinds of small talk whose reply offers to hand the conversation over to a person. */
const kindsOfferingPerson: ReadonlySet<Remark['kind']> = new Set([
  'asks_if_bot',
  'complaint',
  'wants_to_complain',
  'asks_abilities',
]);

export interface RemarkAnswererDeps {
  answerer: Pick<Answerer, 'answer'>;
  clock: Clock;
}

/**
 * Answers visitors' remarks: small talk, and requests for a person. Hands the conversation over if a visitor
 * asks for a person. `Answerer` answers all other messages, and gets the reply to small talk as an input.
 */
export class RemarkAnswerer {
  readonly #deps: RemarkAnswererDeps;

  constructor(deps: RemarkAnswererDeps) {
    this.#deps = deps;
  }

  /**
   * Yields the text of the answer to a visitor's message in pieces and returns the whole answer, as
   * `Answerer.answer` does.
   */
  async *answer(
    scope: OrgScope,
    bot: Bot,
    input: AnswerInput,
    signal: AbortSignal,
  ): AsyncGenerator<string, Answer> {
    const { answerer, clock } = this.#deps;
    const remark = interpretRemark(input);
    if (!remark) return yield* answerer.answer(scope, bot, input, signal);
    const texts = answerTexts(await chooseLanguage(bot, input, remark));
    const canHandOver = acceptsHandoffs(bot, clock.now());
    // A visitor's complaint needs the team, even if the bot cannot hand over.
    const needsTeam = remark.kind === 'wants_to_complain' && !canHandOver;
    if (remark.kind !== 'wants_person' && !needsTeam) {
      const offer = canHandOver && kindsOfferingPerson.has(remark.kind) ? ` ${texts.offerPerson}` : '';
      const smallTalkReply = texts.smallTalk[toRepliedKind(remark.kind)] + offer;
      // An empty list of hits skips the document search. A message that is not certainly a remark may be a
      // question, which needs the hits.
      const hits = remark.isCertain ? [] : input.hits;
      return yield* answerer.answer(scope, bot, { ...input, hits, smallTalkReply }, signal);
    }
    const startedAt = performance.now();
    const answer =
      canHandOver && remark.kind === 'wants_person'
        ? buildHandoffAnswer(input, texts)
        : await this.#describeHowToReachTeam(scope, bot, { input, texts, remark }, signal);
    yield answer.content;
    return { ...answer, latencyMs: Math.round(performance.now() - startedAt) };
  }

  /**
   * Answers how visitors can reach the team: by the links of the bot's directory, or else by the contact
   * details in its documents.
   */
  async #describeHowToReachTeam(
    scope: OrgScope,
    bot: Bot,
    { input, texts, remark }: { input: AnswerInput; texts: AnswerTexts; remark: Remark },
    signal: AbortSignal,
  ): Promise<Answer> {
    const closedMessage = bot.handoffConfig?.closed_message ?? '';
    const closed = isVisible(closedMessage) ? closedMessage : texts.closed;
    const reason = bot.handoffEnabled ? closed : texts.noPerson;
    const lead = remark.kind === 'wants_to_complain' ? texts.smallTalk.wants_to_complain : reason;
    const linkList = formatLinks(bot);
    if (linkList !== '')
      return { ...EMPTY_ANSWER, latencyMs: 0, content: `${lead} ${texts.reachTeam}\n\n${linkList}` };
    const answer = await this.#searchTeamContactDetails(scope, bot, { input, texts }, signal);
    return answer
      ? { ...answer, content: `${lead}\n\n${answer.content}` }
      : { ...EMPTY_ANSWER, latencyMs: 0, content: `${lead} ${texts.contactDetails}` };
  }

  /**
   * Answers the question for the team's contact details from the bot's documents; null if they do not contain
   * any.
   */
  async #searchTeamContactDetails(
    scope: OrgScope,
    bot: Bot,
    { input, texts }: { input: AnswerInput; texts: AnswerTexts },
    signal: AbortSignal,
  ): Promise<Answer | null> {
    const messages = [{ role: 'user' as const, content: texts.contactQuestion }];
    const { acceptLanguage } = input;
    const answering = this.#deps.answerer.answer(
      scope,
      bot,
      { messages, acceptLanguage, returnsEmptyIfNothingFound: true },
      signal,
    );
    const answer = await runToEnd(answering);
    signal.throwIfAborted();
    return answer.isUnanswered || answer.citations.length === 0 ? null : answer;
  }
}

/**
 * Recognizes the visitor's last message as a remark. "Yes" after the offer of a person asks for one, and "no"
 * after "anything else?" says goodbye.
 */
function interpretRemark({ messages }: AnswerInput): Remark | null {
  const message = messages.at(-1)?.content ?? '';
  const remark = recognizeRemark(message, { isFirst: !hasPreviousTurns(messages) });
  if (remark === null) return null;
  const lastReply = messages.findLast(({ role }) => role === 'assistant')?.content ?? '';
  // Words before the comma in a message such as "Yes, thanks" answer the bot's offer.
  const [beginning = ''] = message.split(/[,.;!]/, 1);
  const answer = recognizeRemark(beginning)?.kind;
  if (answer === 'affirmation' && offersPerson(lastReply)) return { ...remark, kind: 'wants_person' };
  if (answer === 'denial' && remark.kind !== 'wants_person' && asksForMore(lastReply))
    return { ...remark, kind: 'goodbye' };
  return remark;
}

/**
 * Returns the kind of small talk whose reply fits a remark: "yes" gets the reply to unclear messages, and
 * "no" the reply to "ok".
 */
function toRepliedKind(kind: Exclude<Remark['kind'], 'wants_person'>): keyof AnswerTexts['smallTalk'] {
  if (kind === 'affirmation') return 'unclear';
  return kind === 'denial' ? 'acknowledgement' : kind;
}

function buildHandoffAnswer({ messages }: AnswerInput, texts: AnswerTexts): Answer {
  const reason = cutText(messages.at(-1)?.content ?? '', MAX_REASON_CHARS);
  return {
    ...EMPTY_ANSWER,
    latencyMs: 0,
    content: texts.handoff,
    handoff: { requestedBy: 'visitor', reason },
  };
}

/** Returns the links of the bot's directory as a Markdown list; empty if it has none. */
function formatLinks(bot: Bot): string {
  return listDirectoryEntries(bot)
    .flatMap(({ name, link }) => (link ? [`- [${escapeBrackets(name)}](<${encodeAngles(link)}>)`] : []))
    .slice(0, MAX_LINKS)
    .join('\n');
}

const escapeBrackets = (text: string) => text.replace(/[[\]\\]/g, '\\$&');
const encodeAngles = (link: string) => link.replaceAll('<', '%3C').replaceAll('>', '%3E');

/**
 * Returns the language in which the bot replies to a remark: the bot's language if it is set, otherwise a
 * language in which the message is a remark. If there are several such languages, earlier messages and the
 * browser decide.
 */
async function chooseLanguage(
  bot: Bot,
  { messages, acceptLanguage = null }: AnswerInput,
  { languages }: Remark,
): Promise<TextLanguage> {
  const language = await detectVisitorLanguage(bot, messages, acceptLanguage);
  const isSettled = bot.language !== 'auto' || languages.includes(language);
  return isSettled ? language : (languages[0] ?? language);
}

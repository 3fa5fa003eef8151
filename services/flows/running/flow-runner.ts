import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Clock } from '../../../core/clock.ts';
import { pollUntil } from '../../../core/concurrency/poll-until.ts';
import type { FlowContext } from '../../../core/flows/step.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Settings } from '../../../core/settings/settings.ts';
import type { OrgScope } from '../../../database/org-scope.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import { mayUpdateContact, type Conversation } from '../../../entities/conversations/conversation.entity.ts';
import type { ContactRepository } from '../../../repositories/contacts/contact.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type {
  FlowSessionRepository,
  OpenedFlowTurn,
} from '../../../repositories/flows/flow-session.repository.ts';
import type { Answer } from '../../conversations/answering/answerer.ts';
import { isStopped } from '../../conversations/answering/answer-cancellation.ts';
import { chooseBotTexts } from '../../conversations/answering/bot-texts.ts';
import { acceptsHandoffs } from '../../conversations/handoff-hours.ts';
import type { HandoffRequest } from '../../conversations/handoff-service.ts';
import type { RemarkAnswerer } from '../../conversations/answering/remark-answerer.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { toBotValues, toTimeValues, listDirectoryEntries } from '../template-values.ts';
import { asksForPersonAtChoice, FlowSelector, type TurnSituation } from './flow-selector.ts';
import type { TurnEffects, FlowEffects } from './flow-effects.ts';
import type { FlowGraphs, IndexedFlow } from './flow-graphs.ts';
import { FlowRun, type TurnStart, type TurnEnd } from './flow-run.ts';
import { FlowMessageBuilder } from './flow-message-builder.ts';
import { answerWithoutFlow, toAskedInput, type FlowAnswer, type FlowTurn } from './flow-turn.ts';
import { buildFlowChange } from './flow-change.ts';
import { TurnDeadline } from './turn-deadline.ts';

export interface FlowRunnerDeps {
  conversations: ScopedRepository<Conversation>;
  contacts: ContactRepository;
  messages: MessageRepository;
  sessions: FlowSessionRepository;
  graphs: FlowGraphs;
  effects: FlowEffects;
  remarkAnswerer: RemarkAnswerer;
  keyring: Keyring;
  calendar: FlowCalendar;
  clock: Clock;
  log: Logger;
  settings: Pick<Settings, 'flowMinuteMs'>;
}

/** Time limit of one run of a flow, in seconds. It is short, since a visitor is waiting for the answer. */
const TURN_SECONDS = 30;
/**
 * Maximum wait for earlier answers of the conversation, in milliseconds. If their process died, another
 * process first generates them again.
 */
const MAX_WAIT_MS = 12 * 60_000;

/** Answers visitors' messages to bots that have flows. */
export class FlowRunner {
  readonly #deps: FlowRunnerDeps;
  readonly #selector: FlowSelector;

  constructor(deps: FlowRunnerDeps) {
    this.#deps = deps;
    this.#selector = new FlowSelector(deps);
  }

  /**
   * Yields the answer of a flow in pieces. Writes nothing to the database itself: the changes in `flow` are
   * stored with the answer, so that a repeated run starts from the same state. Returns null if the run was
   * started by a timeout and the flow is no longer waiting. If the visitor stops the answer, the flow stays
   * where it was before the visitor's message.
   */
  async *answer(turn: FlowTurn): AsyncGenerator<string, FlowAnswer | null> {
    const speech = new FlowMessageBuilder();
    try {
      return yield* this.#answer(turn, speech);
    } catch (error) {
      if (!isStopped(turn.signal)) throw error;
      return answerWithoutFlow(speech.toAnswer());
    }
  }

  async *#answer(turn: FlowTurn, speech: FlowMessageBuilder): AsyncGenerator<string, FlowAnswer | null> {
    const { scope, signal } = turn;
    const row = await this.#waitForEarlierTurns(turn);
    signal.throwIfAborted();
    const conversation = await this.#deps.conversations.get(scope, scope.conversationId);
    const situation: TurnSituation = {
      turn,
      conversation,
      session: conversation.isInFlow ? row.session : null,
    };
    const { bot, messages, acceptLanguage } = turn;
    if (asksForPersonAtChoice(situation) && acceptsHandoffs(bot, this.#deps.clock.now()))
      return answerWithoutFlow(
        yield* this.#deps.remarkAnswerer.answer(scope, bot, { messages, acceptLanguage }, signal),
      );
    const work = new TurnWork(speech, TURN_SECONDS);
    const start = await this.#selector.select(situation);
    const ended = start ? yield* this.#runTurn(situation, start, work) : null;
    if (ended && (turn.replyToId === null || hasOutput(ended, work)))
      return this.#toFlowAnswer(situation, ended, work, work.speech.toAnswer());
    if (turn.replyToId === null) return null;
    return yield* this.#answerFromDocuments(situation, ended, work);
  }

  /**
   * Answers a message to which no flow has responded from the bot's documents. If the documents have no
   * answer, runs the flow with the trigger `no_answer`.
   */
  async *#answerFromDocuments(
    situation: TurnSituation,
    end: TurnEnd | null,
    work: TurnWork,
  ): AsyncGenerator<string, FlowAnswer> {
    const { turn } = situation;
    const { bot, scope, signal, messages, acceptLanguage } = turn;
    const noAnswerFlow = await this.#selector.selectWithoutAnswer(situation);
    const returnsEmptyIfNothingFound = noAnswerFlow !== null && bot.indexedChunkCount > 0;
    const answering = this.#deps.remarkAnswerer.answer(
      scope,
      bot,
      { messages, acceptLanguage, returnsEmptyIfNothingFound },
      signal,
    );
    let pending: string | undefined;
    let piece = await answering.next();
    for (; !piece.done; piece = await answering.next()) {
      if (pending !== undefined) yield pending;
      // Withholds the last piece: the answer may be the fallback text, which the flow would replace.
      pending = noAnswerFlow ? piece.value : undefined;
      if (!noAnswerFlow) yield piece.value;
    }
    const answer = piece.value;
    work.turnEffects.isUnanswered = answer.isUnanswered;
    work.speech.addUsage({ ...answer, citations: [] });
    let last = end;
    if (noAnswerFlow && answer.isUnanswered && !answer.failure) {
      last = yield* this.#runTurn(situation, noAnswerFlow, work);
      if (hasOutput(last, work))
        return this.#toFlowAnswer(situation, last, work, { ...work.speech.toAnswer(), isUnanswered: true });
      answer.content ||= (await chooseBotTexts(bot, turn)).fallback;
    }
    if (pending !== undefined) yield pending;
    const answerWithUsage = { ...answer, ...work.speech.used };
    if (last) return this.#toFlowAnswer(situation, last, work, answerWithUsage);
    return answerWithoutFlow(answerWithUsage);
  }

  async *#runTurn(
    situation: TurnSituation,
    start: TurnStart,
    work: TurnWork,
  ): AsyncGenerator<string, TurnEnd> {
    const { turn } = situation;
    const { graphs, effects, log } = this.#deps;
    const templateValues = await this.#loadTemplateValues(situation, start.flow);
    const ended = yield* new FlowRun(turn, start, { graphs, effects, templateValues, ...work }).run();
    if (ended.status === 'handed_over' && work.speech.isEmpty)
      yield* work.speech.addTexts([(await chooseBotTexts(turn.bot, turn)).handoff]);
    if (ended.failure !== null) {
      work.speech.clear();
      yield* work.speech.addTexts([(await chooseBotTexts(turn.bot, turn)).fallback]);
      work.turnEffects.problem = ended.failure;
      const { flowId, revision } = ended.flow;
      log.warn({ flowId, revision, botId: turn.bot.id, failure: ended.failure }, 'flow failed');
    }
    return ended;
  }

  #toFlowAnswer({ turn, session }: TurnSituation, end: TurnEnd, work: TurnWork, answer: Answer): FlowAnswer {
    const { keyring, settings } = this.#deps;
    const { turnEffects } = work;
    const failed = end.failure !== null;
    const flow = buildFlowChange(
      {
        turn,
        end,
        isSilent: turn.replyToId === null && !hasOutput(end, work),
        previousWaitId: session?.waitId ?? null,
      },
      failed ? { contact: {} } : turnEffects,
      { keyring, minuteMs: settings.flowMinuteMs },
    );
    const handoff: HandoffRequest | null =
      failed || turnEffects.handOver === null
        ? answer.handoff
        : { requestedBy: 'flow', reason: turnEffects.handOver };
    const isUnanswered =
      turn.replyToId !== null && (answer.isUnanswered || turnEffects.isUnanswered || end.failure !== null);
    return {
      answer: { ...answer, handoff, isUnanswered },
      input: end.awaiting && toAskedInput(end.awaiting),
      flow,
      problem: turnEffects.problem,
    };
  }

  /** Waits until earlier messages of the conversation are answered, then returns the flow's state. */
  async #waitForEarlierTurns({ scope, answerId, signal }: FlowTurn): Promise<OpenedFlowTurn> {
    const row = await pollUntil(
      () => this.#deps.sessions.findTurn(scope, answerId),
      (seen) => !seen?.hasEarlierUnfinished || signal.aborted,
      performance.now() + MAX_WAIT_MS,
    );
    return row ?? { session: null, hasEarlierUnfinished: false };
  }

  async #loadTemplateValues({ turn, conversation }: TurnSituation, flow: IndexedFlow): Promise<FlowContext> {
    const { scope, bot } = turn;
    const { id, visitorId, pageUrl, referrer, country, isLead, messageCount } = conversation;
    return {
      contact: flow.readsContact ? await this.#loadContactValues(scope, conversation) : {},
      visitor: { id: visitorId, page_url: pageUrl, referrer, country },
      conversation: { id, page_url: pageUrl, is_lead: isLead, message_count: messageCount },
      bot: toBotValues(bot),
      now: toTimeValues(this.#deps.clock.now()),
      directory: listDirectoryEntries(bot),
    };
  }

  /**
   * Returns the values of the visitor's contact for templates. Returns no values if the session may not
   * update the contact, because the contact may then belong to another person.
   */
  async #loadContactValues(scope: OrgScope, conversation: Conversation): Promise<Record<string, unknown>> {
    if (!mayUpdateContact(conversation)) return {};
    const [contact] = await this.#deps.contacts.openByVisitors(scope, [conversation]);
    if (!contact) return {};
    const { name, email, phone, country, tags, isLead: is_lead, customFields: custom_fields } = contact;
    return { name, email, phone, country, tags, is_lead, custom_fields };
  }
}

/** Returns true if the flow's run has written text or waits for the visitor. */
function hasOutput({ awaiting }: TurnEnd, { speech }: TurnWork): boolean {
  return awaiting !== null || !speech.isEmpty;
}

/** Text, effects and time limit of one run of a flow. */
class TurnWork {
  readonly speech: FlowMessageBuilder;
  readonly turnEffects: TurnEffects = { contact: {}, handOver: null, problem: null, isUnanswered: false };
  readonly deadline: TurnDeadline;

  constructor(speech: FlowMessageBuilder, seconds: number) {
    this.speech = speech;
    this.deadline = new TurnDeadline(seconds * 1000);
  }
}

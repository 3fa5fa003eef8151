import type { Keyring } from '../../../adapters/keys/keyring.ts';
import type { Clock } from '../../../core/clock.ts';
import { pollUntil } from '../../../core/concurrency/poll-until.ts';
import type { FlowAbout } from '../../../core/flows/step.ts';
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
import { textsFor, type Answer, type Answerer } from '../../conversations/answering/answerer.ts';
import type { FlowCalendar } from '../flow-calendar.ts';
import { botValues, nowValues, placesOf } from '../known-values.ts';
import { FlowBeginnings, type Situated } from './flow-beginnings.ts';
import type { Done, FlowEffects } from './flow-effects.ts';
import type { FlowGraphs, WalkedFlow } from './flow-graphs.ts';
import { FlowRun, type Beginning, type Ended } from './flow-run.ts';
import { FlowSpeech } from './flow-speech.ts';
import { ofBot, shownInput, type FlowAnswer, type FlowTurn } from './flow-turn.ts';
import { flowChange } from './flow-change.ts';
import { TurnDeadline } from './turn-deadline.ts';

export interface FlowRunnerDeps {
  conversations: ScopedRepository<Conversation>;
  contacts: ContactRepository;
  messages: MessageRepository;
  sessions: FlowSessionRepository;
  graphs: FlowGraphs;
  effects: FlowEffects;
  answerer: Answerer;
  keyring: Keyring;
  calendar: FlowCalendar;
  clock: Clock;
  log: Logger;
  settings: Pick<Settings, 'flowMinuteMs'>;
}

/** Time limit of a turn, which a visitor is waiting for. */
const TURN_SECONDS = 30;
/** Time limit for earlier turns of the conversation, which are retried or given up after the death of a process. */
const LONGEST_WAIT_MS = 12 * 60_000;

/** Answers turns of bots that have flows. */
export class FlowRunner {
  readonly #deps: FlowRunnerDeps;
  readonly #beginnings: FlowBeginnings;

  constructor(deps: FlowRunnerDeps) {
    this.#deps = deps;
    this.#beginnings = new FlowBeginnings(deps);
  }

  /**
   * Yields the answer piece by piece. Changes nothing in the database before `flow` is stored with the answer, so that a
   * regenerated turn starts from the same state. Returns null if a wait has expired in a flow that is not waiting any more.
   */
  async *answer(turn: FlowTurn): AsyncGenerator<string, FlowAnswer | null> {
    const { scope, signal } = turn;
    const row = await this.#turnRow(turn);
    signal.throwIfAborted();
    const conversation = await this.#deps.conversations.get(scope, scope.conversationId);
    const situated: Situated = { turn, conversation, session: conversation.isInFlow ? row.session : null };
    const work = new TurnWork(TURN_SECONDS);
    const beginning = await this.#beginnings.of(situated);
    const ended = beginning ? yield* this.#run(situated, beginning, work) : null;
    if (ended && (turn.replyToId === null || hasTheWord(ended, work)))
      return this.#answered(situated, ended, work, work.speech.answer());
    if (turn.replyToId === null) return null;
    return yield* this.#fromBot(situated, ended, work);
  }

  /** Answers a turn that no flow has answered: from the documents, or by the flow with the trigger `no_answer`. */
  async *#fromBot(
    situated: Situated,
    ended: Ended | null,
    work: TurnWork,
  ): AsyncGenerator<string, FlowAnswer> {
    const { turn } = situated;
    const { bot, scope, signal, messages, acceptLanguage } = turn;
    const lastResort = await this.#beginnings.withoutAnswer(situated);
    const isOfDocuments = lastResort !== null && bot.indexedChunkCount > 0;
    const answering = this.#deps.answerer.answer(
      scope,
      bot,
      { messages, acceptLanguage, isOfDocuments },
      signal,
    );
    let pending: string | undefined;
    let piece = await answering.next();
    for (; !piece.done; piece = await answering.next()) {
      if (pending !== undefined) yield pending;
      // A flow may replace a fallback text: withhold the last piece.
      pending = lastResort ? piece.value : undefined;
      if (!lastResort) yield piece.value;
    }
    const answer = piece.value;
    work.done.isUnanswered = answer.isUnanswered;
    work.speech.use({ ...answer, citations: [] });
    let last = ended;
    if (lastResort && answer.isUnanswered && !answer.failure) {
      last = yield* this.#run(situated, lastResort, work);
      if (hasTheWord(last, work))
        return this.#answered(situated, last, work, { ...work.speech.answer(), isUnanswered: true });
      answer.content ||= (await textsFor(bot, turn)).fallback;
    }
    if (pending !== undefined) yield pending;
    const whole = { ...answer, ...work.speech.used };
    if (last) return this.#answered(situated, last, work, whole);
    return ofBot(whole);
  }

  async *#run(situated: Situated, beginning: Beginning, work: TurnWork): AsyncGenerator<string, Ended> {
    const { turn } = situated;
    const { graphs, effects, log } = this.#deps;
    const about = await this.#aboutOf(situated, beginning.flow);
    const ended = yield* new FlowRun(turn, beginning, { graphs, effects, about, ...work }).run();
    if (ended.status === 'handed_over' && work.speech.isEmpty)
      yield* work.speech.say([(await textsFor(turn.bot, turn)).handoff]);
    if (ended.failure !== null) {
      work.speech.clear();
      yield* work.speech.say([(await textsFor(turn.bot, turn)).fallback]);
      work.done.problem = ended.failure;
      const { flowId, revision } = ended.flow;
      log.warn({ flowId, revision, botId: turn.bot.id, failure: ended.failure }, 'a flow has failed');
    }
    return ended;
  }

  #answered({ turn, session }: Situated, ended: Ended, work: TurnWork, answer: Answer): FlowAnswer {
    const { keyring, settings } = this.#deps;
    const { done } = work;
    const failed = ended.failure !== null;
    const flow = flowChange(
      {
        turn,
        ended,
        isSilent: turn.replyToId === null && !hasTheWord(ended, work),
        formerWaitId: session?.waitId ?? null,
      },
      failed ? { ...done, contact: {}, handOver: null } : done,
      { keyring, minuteMs: settings.flowMinuteMs },
    );
    const isUnanswered =
      turn.replyToId !== null && (answer.isUnanswered || done.isUnanswered || ended.failure !== null);
    return {
      answer: { ...answer, isUnanswered },
      input: ended.awaiting && shownInput(ended.awaiting),
      flow,
      problem: done.problem,
    };
  }

  /** Waits until the earlier turns are answered, then returns the state of the flow. */
  async #turnRow({ scope, answerId, signal }: FlowTurn): Promise<OpenedFlowTurn> {
    const row = await pollUntil(
      () => this.#deps.sessions.findTurn(scope, answerId),
      (seen) => !seen?.isEarlierOpen || signal.aborted,
      performance.now() + LONGEST_WAIT_MS,
    );
    return row ?? { session: null, isEarlierOpen: false };
  }

  async #aboutOf({ turn, conversation }: Situated, flow: WalkedFlow): Promise<FlowAbout> {
    const { scope, bot } = turn;
    const { id, visitorId, pageUrl, referrer, country, isLead, messageCount } = conversation;
    return {
      contact: flow.asksContact ? await this.#contactOf(scope, conversation) : {},
      visitor: { id: visitorId, page_url: pageUrl, referrer, country },
      conversation: { id, page_url: pageUrl, is_lead: isLead, message_count: messageCount },
      bot: botValues(bot),
      now: nowValues(this.#deps.clock.now()),
      directory: placesOf(bot),
    };
  }

  /** Returns the contact's values; none if the session does not speak for its visitor, since it may be another person's. */
  async #contactOf(scope: OrgScope, conversation: Conversation): Promise<Record<string, unknown>> {
    if (!mayUpdateContact(conversation)) return {};
    const [contact] = await this.#deps.contacts.openByVisitors(scope, [conversation]);
    if (!contact) return {};
    const { name, email, phone, country, tags, isLead: is_lead, customFields: custom_fields } = contact;
    return { name, email, phone, country, tags, is_lead, custom_fields };
  }
}

/** Whether the flow has written text or asks a question. */
function hasTheWord({ awaiting }: Ended, { speech }: TurnWork): boolean {
  return awaiting !== null || !speech.isEmpty;
}

/** Text, effects and deadline of a turn. */
class TurnWork {
  readonly speech = new FlowSpeech();
  readonly done: Done = { contact: {}, handOver: null, problem: null, isUnanswered: false };
  readonly deadline: TurnDeadline;

  constructor(seconds: number) {
    this.deadline = new TurnDeadline(seconds * 1000);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isKeyUnavailable } from '../../../core/errors/errors.ts';
import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { ContentKeys } from '../../../database/content-keys.ts';
import type { Database } from '../../../database/database.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { AnswerState } from '../../../repositories/conversations/answer.sql.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import { requireSessionRow } from '../session-errors.ts';
import type { ConversationFeed } from '../live/conversation-feed.ts';
import type { SearchHit } from '../../knowledge/search/search-service.ts';
import { createApologyAnswer, EMPTY_ANSWER } from './answerer.ts';
import type { RemarkAnswerer } from './remark-answerer.ts';
import { LiveAnswer } from './live-answer.ts';
import type { TurnWriter } from './turn-writer.ts';
import { AnswerCancellation, isStopped } from './answer-cancellation.ts';
import { TurnGate } from './turn-gate.ts';
import type { FlowRunner } from '../../flows/running/flow-runner.ts';
import { answerWithoutFlow, type FlowAnswer } from '../../flows/running/flow-turn.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';

/**
 * Milliseconds between renewals of an answer's lease by the process that generates the answer. Other
 * processes may claim the answer after ANSWER_LEASE_SECONDS without a renewal.
 */
const LEASE_RENEWAL_MS = 5000;
export const ANSWER_LEASE_SECONDS = 15;
const FOLLOW_INTERVAL_MS = 250;
const RECOVERY_BATCH = 10;

/** The bot and the hits of the document search, loaded while the visitor's message is stored. */
export interface PrefetchedContext {
  bot: Bot;
  /** Hits of the document search; undefined if the search needs earlier messages, or if the bot has flows. */
  hits: SearchHit[] | undefined;
}

/** Properties of a visitor's question other than its text. */
export interface QuestionContext {
  acceptLanguage?: string | null;
  optionId?: string | null | undefined;
  /**
   * True if the conversation is in a flow. Undefined if unknown: the flow runner then reads this from the
   * database.
   */
  isInFlow?: boolean;
  prefetched?: Promise<PrefetchedContext | undefined> | undefined;
}

export interface AnswerRunnerDeps {
  database: Database;
  bots: ScopedRepository<Bot>;
  tokens: TokenUsage;
  messages: MessageRepository;
  answers: AnswerRepository;
  writer: TurnWriter;
  remarkAnswerer: RemarkAnswerer;
  flows: FlowRunner;
  feed: ConversationFeed;
  contentKeys: Pick<ContentKeys, 'getCurrentKey'>;
  log: Logger;
}

/**
 * Generates answers to visitors' messages, independently of the requests. A client may disconnect and read
 * its answer later. If a process dies, another process generates the process's answers once their leases
 * expire.
 */
export class AnswerRunner {
  readonly #deps: AnswerRunnerDeps;
  readonly #live = new Map<string, LiveAnswer>();
  readonly #running = new Set<Promise<void>>();
  readonly #cancellations = new Set<AnswerCancellation>();
  /** Delays answers under load until new messages are stored. */
  readonly gate = new TurnGate(() => this.#running.size);

  constructor(deps: AnswerRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Starts to generate an answer. Keeps only ids of the request's scope, since the answer may outlive the
   * request.
   */
  begin(
    { orgId, botId, conversationId }: VisitorScope,
    messageId: string,
    replyToId: string | null,
    question: QuestionContext = {},
  ): LiveAnswer {
    const live = new LiveAnswer(messageId, replyToId);
    this.#live.set(messageId, live);
    this.#track(
      this.#runGeneration({ db: this.#deps.database, orgId, botId, conversationId }, live, question),
    );
    return live;
  }

  /**
   * Returns an answer as a live stream. This process or another process may be generating the answer, or it
   * may be complete.
   */
  resume(scope: VisitorScope, reply: Opened<Message>, replyToId: string): LiveAnswer {
    const live = this.#live.get(reply.id) ?? new LiveAnswer(reply.id, replyToId);
    if (reply.state === 'complete') live.finish(reply);
    else if (!this.#live.has(reply.id))
      this.#track(this.#followAnswer(scope, live).catch((error) => live.fail(error)));
    return live;
  }

  /**
   * Generates the answers of dead processes again. Answers that have failed for too long are replaced by an
   * apology. Unfinished answers are deleted if the conversation waits for an agent or has an agent.
   */
  async recoverAbandoned(): Promise<void> {
    const { answers, database } = this.#deps;
    await answers.deleteAbandoned(database, [...this.#live.keys()]);
    for (const row of await answers.claimAbandoned(database, ANSWER_LEASE_SECONDS, RECOVERY_BATCH)) {
      // Skips answers that this process still generates. Their leases may have expired while the database was
      // unavailable.
      if (this.#live.has(row.id)) continue;
      const scope = { db: database, orgId: row.orgId, botId: row.botId, conversationId: row.conversationId };
      if (!row.isTooOld) this.begin(scope, row.id, row.replyToId);
      else if (row.replyToId === null) await answers.deleteUnfinished(scope, row.id);
      else await this.#apologize(scope, row.id, row.replyToId).catch(ignoreKeyUnavailable);
    }
  }

  /**
   * Withholds the text of running answers in this conversation until a database query confirms that they are
   * still needed.
   */
  recheck(conversationId: string): void {
    for (const watch of this.#cancellations) if (watch.conversationId === conversationId) watch.recheck();
  }

  /** Waits until this process has finished its running answers, for at most `graceMs` milliseconds. */
  async drain(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.allSettled(this.#running), timeout]);
    clearTimeout(timer);
  }

  /**
   * Waits for an answer that another process generates. If that process lets the lease expire, generates the
   * answer here. If the answer is deleted, for example because an agent took over, ends the stream without
   * it.
   */
  async #followAnswer(scope: VisitorScope, live: LiveAnswer): Promise<void> {
    const { answers, messages } = this.#deps;
    for (;;) {
      const reply = await messages.find(scope, live.messageId);
      if (!reply) return this.#silence(scope, live);
      if (reply.state === 'complete') return live.finish(await messages.open(scope, reply));
      if (await answers.claim(scope, live.messageId, ANSWER_LEASE_SECONDS))
        return this.#runGeneration(scope, live);
      await sleep(FOLLOW_INTERVAL_MS);
    }
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #runGeneration(scope: VisitorScope, live: LiveAnswer, question: QuestionContext = {}): Promise<void> {
    const { answers, log } = this.#deps;
    const renewal = setInterval(() => {
      answers
        .renewLease(scope, live.messageId, ANSWER_LEASE_SECONDS)
        .catch((error: unknown) => log.warn({ err: error }, 'cannot renew the lease of an answer'));
    }, LEASE_RENEWAL_MS);
    try {
      const message = await this.#generate(scope, live, question);
      if (message) live.finish(await this.#deps.messages.open(scope, message));
      else await this.#silence(scope, live);
    } catch (error) {
      if (!(error instanceof AppError)) {
        log.error({ err: error, messageId: live.messageId }, 'answer failed');
      }
      live.fail(error);
    } finally {
      clearInterval(renewal);
      this.#live.delete(live.messageId);
    }
  }

  /**
   * Ends the stream of a canceled answer. An answer that a flow has sent without a visitor's message has no
   * readers, so its row is deleted instead.
   */
  async #silence(scope: VisitorScope, live: LiveAnswer): Promise<void> {
    const { answers, messages } = this.#deps;
    if (live.replyToId === null) await answers.deleteUnfinished(scope, live.messageId);
    else {
      const turn = await requireSessionRow(messages.get(scope, live.replyToId));
      live.endWithoutAnswer(await messages.open(scope, turn));
    }
  }

  /**
   * Generates an answer and returns the stored message; null if an agent has taken over or the conversation
   * was deleted.
   */
  async #generate(scope: VisitorScope, live: LiveAnswer, question: QuestionContext): Promise<Message | null> {
    const { answers, bots, feed } = this.#deps;
    const watch = this.#createCancellation(scope, live.messageId);
    this.#cancellations.add(watch);
    try {
      await this.gate.waitForTurns();
      void watch.follow(feed);
      const upToId = live.replyToId ?? live.messageId;
      const [prefetched, history] = await Promise.all([
        question.prefetched,
        answers.listHistory(scope, upToId),
      ]);
      const bot = prefetched?.bot ?? (await bots.get(scope, scope.botId));
      const input = { ...question, history, hits: prefetched?.hits };
      const answering = this.#streamUntilStopped(
        this.#streamAnswer(scope, bot, live, input, watch.signal),
        live,
        watch.signal,
      );
      let step = await answering.next();
      for (; !step.done; step = await answering.next()) {
        await watch.waitForCheck();
        live.append(step.value);
      }
      return step.value && (await this.#storeAnswer(scope, bot, live.messageId, step.value));
    } catch (error) {
      if (watch.signal.aborted) return null;
      throw error;
    } finally {
      watch.end();
      this.#cancellations.delete(watch);
    }
  }

  /**
   * Streams the answer's text. If the visitor stops the answer while no text is written, for example during
   * the search, returns the text so far.
   */
  async *#streamUntilStopped(
    answering: AsyncGenerator<string, FlowAnswer | null>,
    live: LiveAnswer,
    signal: AbortSignal,
  ): AsyncGenerator<string, FlowAnswer | null> {
    const startedAt = performance.now();
    try {
      return yield* answering;
    } catch (error) {
      if (!isStopped(signal)) throw error;
      const latencyMs = Math.round(performance.now() - startedAt);
      return answerWithoutFlow({ ...EMPTY_ANSWER, content: live.text, latencyMs });
    }
  }

  /**
   * Answers by a flow if the bot has active flows or the conversation may be in one. Otherwise answers from
   * the documents.
   */
  async *#streamAnswer(
    scope: VisitorScope,
    bot: Bot,
    { messageId: answerId, replyToId }: LiveAnswer,
    question: QuestionContext & { history: ChatMessage[]; hits: SearchHit[] | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<string, FlowAnswer | null> {
    const { remarkAnswerer, flows } = this.#deps;
    const { history: messages, acceptLanguage = null, optionId, isInFlow = true, hits } = question;
    if (bot.activeFlowCount > 0 || isInFlow) {
      const turn = { scope, bot, answerId, replyToId, optionId, messages, acceptLanguage, signal };
      return yield* flows.answer(turn);
    }
    const input = { messages, acceptLanguage, hits };
    return answerWithoutFlow(yield* remarkAnswerer.answer(scope, bot, input, signal));
  }

  async #apologize(scope: VisitorScope, id: string, replyToId: string): Promise<void> {
    const { answers, bots } = this.#deps;
    const bot = await bots.get(scope, scope.botId);
    const answer = await createApologyAnswer(bot, await answers.listHistory(scope, replyToId));
    await this.#storeAnswer(scope, bot, id, answerWithoutFlow(answer));
  }

  #createCancellation(scope: VisitorScope, messageId: string): AnswerCancellation {
    const { answers, log } = this.#deps;
    const assumeNeeded = (error: unknown): AnswerState => {
      log.warn({ err: error }, 'cannot check whether an answer is still needed');
      return 'needed';
    };
    return new AnswerCancellation({
      conversationId: scope.conversationId,
      getState: () => answers.getState(scope, messageId).catch(assumeNeeded),
      getStateLocked: () => answers.getStateLocked(scope, messageId).catch(assumeNeeded),
    });
  }

  /**
   * Stores the generated answer. Returns the stored answer, which may be from another process that was
   * faster. Returns null if an agent has taken over or the conversation was deleted.
   */
  async #storeAnswer(
    scope: VisitorScope,
    bot: Bot,
    messageId: string,
    { answer, input, flow, problem }: FlowAnswer,
  ): Promise<Message | null> {
    const { tokens, messages, bots, writer, contentKeys } = this.#deps;
    const { failure, searchedFor: _, ...rest } = answer;
    const key = await contentKeys.getCurrentKey(scope.orgId);
    const finishedAt = await writer.finish({
      ...rest,
      messageId,
      orgId: scope.orgId,
      conversationId: scope.conversationId,
      errorCode: failure?.code ?? null,
      input,
      flow,
      key,
    });
    if (!finishedAt) {
      await tokens.add(scope, scope, answer);
      return messages.find(scope, messageId);
    }
    const lastError = problem ?? failure?.message ?? null;
    if (lastError !== bot.lastError) await bots.update(scope, bot.id, { lastError });
    return messages.find(scope, messageId);
  }
}

/**
 * Ignores the error `key_unavailable`: the answer is generated again after its lease expires.
 * @throws any other error
 */
function ignoreKeyUnavailable(error: unknown): void {
  if (!isKeyUnavailable(error)) throw error;
}

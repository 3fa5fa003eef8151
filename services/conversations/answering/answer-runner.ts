import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, isKeyUnavailable } from '../../../core/errors/errors.ts';
import type { ChatMessage } from '../../../core/answers/chat-model.ts';
import type { Logger } from '../../../core/logger.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { ContentKeys } from '../../../database/content-keys.ts';
import type { Database } from '../../../database/database.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { TokenUsage } from '../../usage/token-usage.ts';
import { requireSessionRow } from '../session-expired.ts';
import type { ConversationFeed } from '../live/conversation-feed.ts';
import type { SearchHit } from '../../knowledge/search/search-service.ts';
import { createApologyAnswer, type Answerer } from './answerer.ts';
import { LiveAnswer } from './live-answer.ts';
import type { TurnWriter } from './turn-writer.ts';
import { AnswerCancellation } from './answer-cancellation.ts';
import { TurnGate } from './turn-gate.ts';
import type { FlowRunner } from '../../flows/running/flow-runner.ts';
import { answerWithoutFlow, type FlowAnswer } from '../../flows/running/flow-turn.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';

/** The process that generates an answer renews its lease this often; another one may claim it after ANSWER_LEASE_SECONDS. */
const LEASE_RENEWAL_MS = 5000;
export const ANSWER_LEASE_SECONDS = 15;
const FOLLOW_INTERVAL_MS = 250;
const RECOVERY_BATCH = 10;

/** Bot and search hits, prefetched while the turn is written. */
export interface PrefetchedContext {
  bot: Bot;
  /** Undefined if the search needs the previous turns, or if the bot has flows. */
  hits: SearchHit[] | undefined;
}

/** Facts about a question besides its text. */
export interface QuestionContext {
  acceptLanguage?: string | null;
  optionId?: string | null | undefined;
  /** Undefined if unknown: the flow runner then looks it up. */
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
  answerer: Answerer;
  flows: FlowRunner;
  feed: ConversationFeed;
  contentKeys: Pick<ContentKeys, 'getCurrentKey'>;
  log: Logger;
}

/**
 * Generates the answers to visitors' turns, independently of their requests. A client may disconnect and read its answer
 * later. Once the lease of a dead process expires, another process generates the answer again.
 */
export class AnswerRunner {
  readonly #deps: AnswerRunnerDeps;
  readonly #live = new Map<string, LiveAnswer>();
  readonly #running = new Set<Promise<void>>();
  readonly #cancellations = new Set<AnswerCancellation>();
  /** Lets turns pass before answers. */
  readonly gate = new TurnGate(() => this.#running.size);

  constructor(deps: AnswerRunnerDeps) {
    this.#deps = deps;
  }

  /** Starts an answer. Retains only ids of the request, since the answer outlives it. */
  begin(
    { orgId, botId, conversationId }: VisitorScope,
    messageId: string,
    replyToId: string | null,
    question: QuestionContext = {},
  ): LiveAnswer {
    const live = new LiveAnswer(messageId, replyToId);
    this.#live.set(messageId, live);
    this.#track(this.#run({ db: this.#deps.database, orgId, botId, conversationId }, live, question));
    return live;
  }

  /** Returns an answer as a live stream, also if another process generates it or has stored it. */
  resume(scope: VisitorScope, reply: Opened<Message>, replyToId: string): LiveAnswer {
    const live = this.#live.get(reply.id) ?? new LiveAnswer(reply.id, replyToId);
    if (reply.state === 'complete') live.finish(reply);
    else if (!this.#live.has(reply.id))
      this.#track(this.#follow(scope, live).catch((error) => live.fail(error)));
    return live;
  }

  /**
   * Regenerates answers whose process has died, and ends those that have failed for too long with an apology. Deletes
   * those in conversations that wait for an agent or have one.
   */
  async recoverAbandoned(): Promise<void> {
    const { answers, database } = this.#deps;
    await answers.deleteAbandoned(database, [...this.#live.keys()]);
    for (const row of await answers.claimAbandoned(database, ANSWER_LEASE_SECONDS, RECOVERY_BATCH)) {
      // After an outage of the database, the lease of an answer may have expired while this process still generates it.
      if (this.#live.has(row.id)) continue;
      const scope = { db: database, orgId: row.orgId, botId: row.botId, conversationId: row.conversationId };
      if (!row.isTooOld) this.begin(scope, row.id, row.replyToId);
      else if (row.replyToId === null) await answers.deleteUnfinished(scope, row.id);
      else await this.#apologize(scope, row.id, row.replyToId).catch(ignoreKeyUnavailable);
    }
  }

  /** Pauses the answers in this conversation until a query has confirmed that they are still needed. */
  recheck(conversationId: string): void {
    for (const watch of this.#cancellations) if (watch.conversationId === conversationId) watch.recheck();
  }

  /** Waits until the running answers are finished, at most `graceMs`. */
  async drain(graceMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([Promise.allSettled(this.#running), timeout]);
    clearTimeout(timer);
  }

  /**
   * Waits for an answer that another process generates, and generates it here once the lease of that process expires.
   * Silences the answer if its row is deleted, for example because an agent took over.
   */
  async #follow(scope: VisitorScope, live: LiveAnswer): Promise<void> {
    const { answers, messages } = this.#deps;
    for (;;) {
      const reply = await messages.find(scope, live.messageId);
      if (!reply) return this.#silence(scope, live);
      if (reply.state === 'complete') return live.finish(await messages.open(scope, reply));
      if (await answers.claim(scope, live.messageId, ANSWER_LEASE_SECONDS)) return this.#run(scope, live);
      await sleep(FOLLOW_INTERVAL_MS);
    }
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #run(scope: VisitorScope, live: LiveAnswer, question: QuestionContext = {}): Promise<void> {
    const { answers, log } = this.#deps;
    const renewal = setInterval(() => {
      answers
        .renewLease(scope, live.messageId, ANSWER_LEASE_SECONDS)
        .catch((error: unknown) => log.warn({ err: error }, 'lease not renewed'));
    }, LEASE_RENEWAL_MS);
    try {
      const message = await this.#generate(scope, live, question);
      if (message) live.finish(await this.#deps.messages.open(scope, message));
      else await this.#silence(scope, live);
    } catch (error) {
      if (!(error instanceof AppError)) {
        log.error({ err: error, messageId: live.messageId }, 'an answer failed');
      }
      live.fail(error);
    } finally {
      clearInterval(renewal);
      this.#live.delete(live.messageId);
    }
  }

  /** Ends the stream of a cancelled answer. An answer without a turn has no readers: its row is deleted instead. */
  async #silence(scope: VisitorScope, live: LiveAnswer): Promise<void> {
    const { answers, messages } = this.#deps;
    if (live.replyToId === null) await answers.deleteUnfinished(scope, live.messageId);
    else {
      const turn = await requireSessionRow(messages.get(scope, live.replyToId));
      live.silence(await messages.open(scope, turn));
    }
  }

  /** Returns the stored answer; null if an agent has taken over or the conversation was deleted. */
  async #generate(scope: VisitorScope, live: LiveAnswer, question: QuestionContext): Promise<Message | null> {
    const { answers, bots, feed } = this.#deps;
    const watch = this.#createCancellation(scope, live.messageId);
    this.#cancellations.add(watch);
    try {
      await this.gate.waitForTurns();
      void watch.follow(feed);
      const upToId = live.replyToId ?? live.messageId;
      const [read, said] = await Promise.all([question.prefetched, answers.listHistory(scope, upToId)]);
      const bot = read?.bot ?? (await bots.get(scope, scope.botId));
      const answering = this.#streamAnswer(
        scope,
        bot,
        live,
        { ...question, said, hits: read?.hits },
        watch.signal,
      );
      let step = await answering.next();
      for (; !step.done; step = await answering.next()) {
        await watch.waitForCheck();
        live.append(step.value);
      }
      return step.value && (await this.#finish(scope, bot, live.messageId, step.value));
    } catch (error) {
      if (watch.signal.aborted) return null;
      throw error;
    } finally {
      watch.end();
      this.#cancellations.delete(watch);
    }
  }

  /** Answers with a flow if the bot has active flows or the conversation may be in one; with the documents otherwise. */
  async *#streamAnswer(
    scope: VisitorScope,
    bot: Bot,
    { messageId: answerId, replyToId }: LiveAnswer,
    question: QuestionContext & { said: ChatMessage[]; hits: SearchHit[] | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<string, FlowAnswer | null> {
    const { answerer, flows } = this.#deps;
    const { said: messages, acceptLanguage = null, optionId, isInFlow = true, hits } = question;
    if (bot.activeFlowCount > 0 || isInFlow) {
      const turn = { scope, bot, answerId, replyToId, optionId, messages, acceptLanguage, signal };
      return yield* flows.answer(turn);
    }
    return answerWithoutFlow(yield* answerer.answer(scope, bot, { messages, acceptLanguage, hits }, signal));
  }

  async #apologize(scope: VisitorScope, id: string, replyToId: string): Promise<void> {
    const { answers, bots } = this.#deps;
    const bot = await bots.get(scope, scope.botId);
    const answer = await createApologyAnswer(bot, await answers.listHistory(scope, replyToId));
    await this.#finish(scope, bot, id, answerWithoutFlow(answer));
  }

  #createCancellation(scope: VisitorScope, messageId: string): AnswerCancellation {
    const { answers, log } = this.#deps;
    const orUnknown = (error: unknown) => {
      log.warn({ err: error }, 'could not check whether an answer is still needed');
      return true;
    };
    return new AnswerCancellation({
      conversationId: scope.conversationId,
      isStillNeeded: () => answers.exists(scope, messageId).catch(orUnknown),
      isStillNeededLocked: () => answers.existsLocked(scope, messageId).catch(orUnknown),
    });
  }

  /**
   * Stores the answer, and returns the stored one: another process may have finished it before. Returns null if an agent
   * has taken over or the conversation was deleted.
   */
  async #finish(
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

/** Swallows `key_unavailable`: the answer is retried after its lease. @throws any other error */
function ignoreKeyUnavailable(error: unknown): void {
  if (!isKeyUnavailable(error)) throw error;
}

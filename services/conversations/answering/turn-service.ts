import { AppError } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import { requireVisible } from '../../../core/text/visible-text.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { ContentKeys } from '../../../database/content-keys.ts';
import type { Database } from '../../../database/database.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { AnswerRepository } from '../../../repositories/conversations/answer.repository.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { ContactLearning } from '../../contacts/contact-learning.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { AnswerRunner, PrefetchedContext } from './answer-runner.ts';
import type { Answerer } from './answerer.ts';
import type { LiveAnswer } from './live-answer.ts';
import type { TurnWriter } from './turn-writer.ts';
import { turnRefusals, toUserMessage } from './written-turn.ts';

export interface TurnInput {
  content: string;
  clientId: string | null;
  /** Id of the option that the visitor selected in a flow's question; null for typed text. */
  optionId: string | null;
  /** The `Accept-Language` header of the visitor's request. */
  acceptLanguage?: string | null;
  /** Error code if the message's client id was already used for a message with another text. */
  reuseCode: 'conflict' | 'idempotency_key_reused';
}

export interface Turn {
  message: Opened<Message>;
  /**
   * Stream of the bot's answer; null if the bot does not answer, because an agent has taken over or was asked
   * to.
   */
  answer: LiveAnswer | null;
  /** True if an earlier request has stored the same message. */
  isRepeated: boolean;
}

export interface TurnServiceDeps {
  database: Database;
  bots: ScopedRepository<Bot>;
  messages: MessageRepository;
  answers: Pick<AnswerRepository, 'stop'>;
  writer: TurnWriter;
  answerer: Answerer;
  runner: AnswerRunner;
  learning: ContactLearning;
  contentKeys: Pick<ContentKeys, 'getCurrentKey'>;
  log: Logger;
}

/** Stores visitors' messages and starts their answers, which `AnswerRunner` generates. */
export class TurnService {
  readonly #deps: TurnServiceDeps;

  constructor(deps: TurnServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Stores the visitor's message and starts its answer. A repeated `clientId` returns the message that was
   * stored first.
   * @throws AppError `conflict` if the conversation has ended, the bot is switched off, or the client id
   *   belongs to another text; `quota_exceeded` if the monthly limit of the bot or plan is reached;
   *   `key_unavailable`
   */
  async send(scope: VisitorScope, input: TurnInput): Promise<Turn> {
    const { content, clientId, optionId, acceptLanguage = null } = input;
    requireVisible(content, 'content');
    const known = await this.#findKnown(scope, clientId);
    if (known) return this.#resumeTurn(scope, known, input);
    const { conversationId, orgId } = scope;
    const { runner } = this.#deps;
    const key = await this.#deps.contentKeys.getCurrentKey(orgId);
    const writing = this.#deps.writer.write({ conversationId, content, clientId, optionId, key });
    const prefetched = runner.gate.isCrowded ? undefined : this.#prefetch(scope, content);
    const turn = await runner.gate.trackWrite(writing);
    // A concurrent copy of this request may have stored the message, or used up the monthly limit of
    // messages.
    if (turn.outcome === 'duplicate' || turn.outcome === 'quota') {
      const concurrent = await this.#findKnown(scope, clientId);
      if (concurrent) return this.#resumeTurn(scope, concurrent, input);
    }
    if (turn.outcome !== 'answering' && turn.outcome !== 'silent') throw turnRefusals[turn.outcome]();
    const { messageId: id, createdAt } = turn;
    const message = toUserMessage({ id, orgId, conversationId, content, clientId, optionId, createdAt });
    const question = { acceptLanguage, optionId, isInFlow: turn.isInFlow, prefetched };
    const answer = turn.outcome === 'silent' ? null : runner.begin(scope, turn.answerId, id, question);
    await this.#learn(scope, content);
    return { message, answer, isRepeated: false };
  }

  /**
   * Stops the generation of an answer, whose text so far is then stored. Does nothing if the answer is
   * complete.
   * @throws AppError `not_found` for a message of another conversation, or an answer that was dropped because an
   *   agent took over; `conflict` for a message that is not an answer of the bot
   */
  async stop(scope: VisitorScope, answerId: string): Promise<void> {
    const { messages, answers } = this.#deps;
    const message = await messages.getInConversation(scope, answerId);
    if (message.role !== 'assistant')
      throw new AppError('conflict', 'Only answers of the bot can be stopped.');
    if (message.state === 'generating' && message.stoppedAt === null) await answers.stop(scope, answerId);
  }

  /**
   * Stores contact details that the visitor's message contains. A failure is only logged: the enrichment
   * after the conversation finds them too.
   */
  async #learn(scope: VisitorScope, content: string): Promise<void> {
    const { learning, log } = this.#deps;
    await learning
      .learnFromMessage(scope, content)
      .catch((error: unknown) => log.warn({ err: error }, 'cannot store contact details from a message'));
  }

  async #findKnown(scope: VisitorScope, clientId: string | null): Promise<Opened<Message> | null> {
    return clientId === null ? null : this.#deps.messages.findByClientId(scope, clientId);
  }

  async #resumeTurn(
    scope: VisitorScope,
    message: Opened<Message>,
    { content, optionId, reuseCode }: TurnInput,
  ): Promise<Turn> {
    if (message.content !== content || message.optionId !== optionId) {
      throw new AppError(
        reuseCode,
        'This client_id or Idempotency-Key belongs to another message; use a new one.',
      );
    }
    const { messages, runner } = this.#deps;
    const reply = await messages.findReply(scope, message.id);
    return { message, answer: reply && runner.resume(scope, reply, message.id), isRepeated: true };
  }

  /**
   * While the message is stored, loads the data for its answer that the message does not change.
   * @returns undefined after an error: the runner then loads the data itself
   */
  #prefetch({ orgId, botId }: VisitorScope, content: string): Promise<PrefetchedContext | undefined> {
    const { bots, answerer, database: db } = this.#deps;
    const loadBotAndHits = async () => {
      const bot = await bots.get({ db, orgId }, botId);
      // Skips the document search for a bot with flows, which may answer without a search.
      const hits = bot.activeFlowCount > 0 ? undefined : answerer.prefetchHits({ db, orgId }, bot, content);
      return { bot, hits: await hits };
    };
    return loadBotAndHits().catch(() => undefined);
  }
}

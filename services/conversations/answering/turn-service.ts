import { AppError } from '../../../core/errors/errors.ts';
import type { Logger } from '../../../core/logger.ts';
import { requireVisible } from '../../../core/text/visible-text.ts';
import type { Bot } from '../../../entities/bots/bot.entity.ts';
import type { ContentKeys } from '../../../database/content-keys.ts';
import type { Database } from '../../../database/database.ts';
import type { Message } from '../../../entities/conversations/message.entity.ts';
import type { MessageRepository } from '../../../repositories/conversations/message.repository.ts';
import type { ScopedRepository } from '../../../database/scoped.repository.ts';
import type { Opened } from '../../../database/sealed-columns.ts';
import type { ContactLearning } from '../../contacts/contact-learning.ts';
import type { VisitorScope } from '../../contacts/visitor-scope.ts';
import type { AnswerRunner, ReadAhead } from './answer-runner.ts';
import type { Answerer } from './answerer.ts';
import type { LiveAnswer } from './live-answer.ts';
import type { TurnWriter } from './turn-writer.ts';
import { refusals, userMessage } from './written-turn.ts';

export interface TurnInput {
  content: string;
  clientId: string | null;
  /** The option of a flow's question that was picked. */
  optionId: string | null;
  /** What the browser says of the visitor's languages. */
  acceptLanguage?: string | null;
  /** What is wrong when the client id stands for another text. */
  reuseCode: 'conflict' | 'idempotency_key_reused';
}

export interface Turn {
  message: Opened<Message>;
  /** Null while a human has the conversation: the bot is silent then. */
  answer: LiveAnswer | null;
  /** Whether it was written by an earlier request. */
  isKnown: boolean;
}

export interface TurnServiceDeps {
  database: Database;
  bots: ScopedRepository<Bot>;
  messages: MessageRepository;
  writer: TurnWriter;
  answerer: Answerer;
  runner: AnswerRunner;
  learning: ContactLearning;
  contentKeys: Pick<ContentKeys, 'current'>;
  log: Logger;
}

/** Takes visitors' turns; the runner makes their answers. */
export class TurnService {
  readonly #deps: TurnServiceDeps;

  constructor(deps: TurnServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Writes the visitor's turn and begins its answer; the same `clientId` again finds the turn that is there.
   * @throws AppError `conflict` when the conversation has ended, the bot is off, or the client id stands for another
   *   text; `quota_exceeded` when the bot's month is used up; `key_unavailable`
   */
  async send(scope: VisitorScope, input: TurnInput): Promise<Turn> {
    const { content, clientId, optionId, acceptLanguage = null } = input;
    requireVisible(content, 'content');
    const known = await this.#known(scope, clientId);
    if (known) return this.#resume(scope, known, input);
    const { conversationId, orgId } = scope;
    const { runner } = this.#deps;
    const key = await this.#deps.contentKeys.current(orgId);
    const writing = this.#deps.writer.write({ conversationId, content, clientId, optionId, key });
    const ahead = runner.gate.isCrowded ? undefined : this.#readAhead(scope, content);
    const turn = await runner.gate.admit(writing);
    // Sent twice at once, it may have used up the month itself.
    if (turn.outcome === 'duplicate' || turn.outcome === 'quota') {
      const twin = await this.#known(scope, clientId);
      if (twin) return this.#resume(scope, twin, input);
    }
    if (turn.outcome !== 'answering' && turn.outcome !== 'silent') throw refusals[turn.outcome]();
    const { messageId: id, createdAt } = turn;
    const message = userMessage({ id, orgId, conversationId, content, clientId, optionId, createdAt });
    const question = { acceptLanguage, optionId, isInFlow: turn.isInFlow, ahead };
    const answer = turn.outcome === 'silent' ? null : runner.begin(scope, turn.answerId, id, question);
    await this.#learn(scope, content);
    return { message, answer, isKnown: false };
  }

  /** What is missed here is found when the conversation ends. */
  async #learn(scope: VisitorScope, content: string): Promise<void> {
    const { learning, log } = this.#deps;
    await learning
      .fromMessage(scope, content)
      .catch((error: unknown) => log.warn({ err: error }, 'contact details were not kept'));
  }

  async #known(scope: VisitorScope, clientId: string | null): Promise<Opened<Message> | null> {
    return clientId === null ? null : this.#deps.messages.findByClientId(scope, clientId);
  }

  async #resume(
    scope: VisitorScope,
    message: Opened<Message>,
    { content, optionId, reuseCode }: TurnInput,
  ): Promise<Turn> {
    if (message.content !== content || message.optionId !== optionId) {
      throw new AppError(reuseCode, 'This name of a message stands for another one; use a new one.');
    }
    const { messages, runner } = this.#deps;
    const reply = await messages.findReply(scope, message.id);
    return { message, answer: reply && runner.resume(scope, reply, message.id), isKnown: true };
  }

  /**
   * What an answer needs and the turn does not change, read while that is written; a crowd's turns come first. Undefined
   * where it could not be read, and so is read once more.
   */
  #readAhead({ orgId, botId }: VisitorScope, content: string): Promise<ReadAhead | undefined> {
    const { bots, answerer, database: db } = this.#deps;
    const read = async () => {
      const bot = await bots.get({ db, orgId }, botId);
      // Where flows are, they may have the word.
      const hits = bot.activeFlowCount > 0 ? undefined : answerer.searchAhead({ db, orgId }, bot, content);
      return { bot, hits: await hits };
    };
    return read().catch(() => undefined);
  }
}

import { ClusterMatcher } from '../../core/analytics/question-groups.ts';
import type { QuestionWords } from '../../core/analytics/same-question.ts';
import { mapCooperatively } from '../../core/concurrency/cooperative.ts';
import { formatUtcDay } from '../../core/day-range.ts';
import { groupItems } from '../../core/group-items.ts';
import { newId } from '../../core/ids.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { lockName } from '../../database/advisory-lock.ts';
import type { Database } from '../../database/database.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import type { QuestionQueueRepository } from '../../repositories/analytics/question-queue.repository.ts';
import type { QuestionRepository, PatternSearch } from '../../repositories/analytics/question.repository.ts';
import type { AskedMessage } from '../../repositories/analytics/question.sql.ts';
import { markWords, loadMarkers, type Markers } from './word-markers.ts';
import { sumByDay, toQuestionTerms, deriveWordsId } from './question-rows.ts';
import { stemQuestions, type BotQuestion } from './question-words.ts';
import { readQuestion } from './read-question.ts';

export interface QuestionGroupingDeps {
  queue: QuestionQueueRepository;
  questions: QuestionRepository;
}

/** Result of grouping the questions in one batch of visitors' messages. */
export interface GroupedBatch {
  messages: number;
  questions: number;
  /** Number of new question clusters that the batch has created. */
  begun: number;
  /** Id of the message after which the next batch begins; null after the last batch. */
  next: string | null;
}

/** A visitor's message that asks a question, with this question. */
type AskedQuestion = Opened<AskedMessage> & BotQuestion;
/** A visitor's question with its normalized words. */
interface NormalizedQuestion {
  question: AskedQuestion;
  words: QuestionWords;
  wordsId: string;
}
/** A visitor's question with the cluster of similar questions to which it belongs. */
export interface GroupedQuestion extends NormalizedQuestion {
  clusterId: string;
  isFirst: boolean;
}

const BATCH_SIZE = 500;
const DELTA_BATCH_SIZE = 1000;
/**
 * Name of the database lock for the grouping of questions. Without it, two concurrent runs could create the
 * same cluster twice.
 */
const LOCK = 'question clusters';

/**
 * Groups similar questions of visitors into clusters. Removes messages from the queue in the transaction that
 * stores their clusters.
 */
export class QuestionGrouping {
  readonly #deps: QuestionGroupingDeps;

  constructor(deps: QuestionGroupingDeps) {
    this.#deps = deps;
  }

  /**
   * Groups the questions in one batch of queued messages. Messages that are being deleted, or whose
   * encryption key is unavailable, remain in the queue. They do not block later messages.
   * @param after id of the last message of the previous batch; null for the first batch
   */
  groupBatch(database: Database, after: string | null = null, limit = BATCH_SIZE): Promise<GroupedBatch> {
    const { queue } = this.#deps;
    return database.transaction(async (db) => {
      await lockName(db, LOCK);
      const ids = await queue.listIds(db, after, limit);
      if (ids.length === 0) return { messages: 0, questions: 0, begun: 0, next: null };
      const { lockedIds, busy } = await queue.lock(db, ids);
      const { messages: listed, unavailableIds } = await queue.listAsked(db, lockedIds);
      const markers = await loadMarkers(db, listOrgIds(listed));
      const messages = listed.filter(({ orgId }) => markers.has(orgId));
      const unmarked = listed.filter(({ orgId }) => !markers.has(orgId));
      const askedQuestions = (await mapCooperatively(messages, toAskedQuestions)).flat();
      const grouped = await this.#group(db, askedQuestions, markers);
      await this.#storeGroups(db, grouped, markers);
      const remainingIds = new Set([...busy, ...unavailableIds, ...unmarked.map(({ id }) => id)]);
      await queue.delete(
        db,
        ids.filter((id) => !remainingIds.has(id)),
      );
      return {
        messages: messages.length,
        questions: grouped.length,
        begun: grouped.filter(({ isFirst }) => isFirst).length,
        next: ids.length === limit ? ids.at(-1)! : null,
      };
    });
  }

  /**
   * Subtracts a batch of deleted questions from the daily counts of their clusters. Deletes clusters without
   * questions.
   */
  foldDeletions(
    database: Database,
    limit = DELTA_BATCH_SIZE,
  ): Promise<{ deleted: number; removed: number; isMore: boolean }> {
    const { questions } = this.#deps;
    return database.transaction(async (db) => {
      await lockName(db, LOCK);
      const deltas = await questions.claimDeltas(db, limit);
      if (deltas.length === 0) return { deleted: 0, removed: 0, isMore: false };
      await questions.addToDays(db, sumByDay(deltas));
      const touched = [...new Set(deltas.map(({ clusterId }) => clusterId))];
      await questions.deleteEmptyDays(db, touched);
      const removed = await questions.deleteEmptyClusters(db, touched);
      await this.#renewPatterns(db, touched);
      return { deleted: deltas.length, removed, isMore: deltas.length === limit };
    });
  }

  /**
   * Recomputes the stored words of question clusters after a change of encryption. The words are stored as
   * plain text, or as digests with the current key.
   */
  renew(scope: OrgScope, clusterIds: string[]): Promise<void> {
    return inTransaction(scope, async ({ db, orgId }) => {
      await lockName(db, LOCK);
      const keyId = (await loadMarkers(db, [orgId])).get(orgId)?.id ?? null;
      await this.#deps.questions.deletePatterns(db, clusterIds);
      await this.#deps.questions.updateKey(db, clusterIds, keyId);
      await this.#renewPatterns(db, clusterIds);
    });
  }

  async #group(db: Database, questions: AskedQuestion[], markers: Markers): Promise<GroupedQuestion[]> {
    if (questions.length === 0) return [];
    const words = await stemQuestions(db, this.#deps.questions, questions);
    const findable = questions
      .map((question, index) => ({
        question,
        words: markWords(markers.get(question.orgId)!, words[index]!),
      }))
      .filter((worded) => worded.words.lexemes.length > 0)
      .map((worded) => ({ ...worded, wordsId: deriveWordsId(worded.question.botId, worded.words) }));
    const byWords = await this.#findClustersByWords(db, findable);
    const matchers = await this.#loadMatchers(
      db,
      findable.filter(({ wordsId }) => !byWords.has(wordsId)),
    );
    return mapCooperatively(findable, (worded) => {
      const sameCluster = byWords.get(worded.wordsId);
      if (sameCluster !== undefined) return { ...worded, clusterId: sameCluster, isFirst: false };
      const matcher = matchers.get(worded.question.botId)!;
      const near = matcher.find(worded.words);
      const clusterId = near ?? newId();
      if (near === null) matcher.addCluster(clusterId, worded.words);
      byWords.set(worded.wordsId, clusterId);
      return { ...worded, clusterId, isFirst: near === null };
    });
  }

  /** Finds the clusters that already contain a question with exactly the same words. */
  async #findClustersByWords(
    db: Database,
    questions: readonly NormalizedQuestion[],
  ): Promise<Map<string, string>> {
    const wordsIds = [...new Set(questions.map(({ wordsId }) => wordsId))];
    const matches = await this.#deps.questions.listByWords(db, wordsIds);
    return new Map(matches.map(({ wordsId, clusterId }) => [wordsId, clusterId]));
  }

  /** Loads a matcher for each bot, which compares questions with the clusters that may be similar. */
  async #loadMatchers(
    db: Database,
    questions: readonly NormalizedQuestion[],
  ): Promise<Map<string, ClusterMatcher>> {
    const byBot = groupItems(questions, ({ question }) => question.botId);
    const counts = await this.#countLexemes(db, byBot);
    const searchKeys = byBot.flatMap(([botId, botQuestions]) => {
      const matcher = new ClusterMatcher(counts.get(botId)!, []);
      return botQuestions.flatMap(({ words }) => toPatternSearches(botId, matcher, words));
    });
    const patterns = groupItems(
      await this.#deps.questions.listPatterns(db, searchKeys),
      ({ botId }) => botId,
    );
    const patternsByBot = new Map(patterns);
    return new Map(
      byBot.map(([botId]) => [botId, new ClusterMatcher(counts.get(botId)!, patternsByBot.get(botId) ?? [])]),
    );
  }

  async #countLexemes(db: Database, byBot: [string, NormalizedQuestion[]][]) {
    const lexemes = byBot.flatMap(([botId, botQuestions]) =>
      [...new Set(botQuestions.flatMap(({ words }) => words.lexemes))].map((lexeme) => ({ botId, lexeme })),
    );
    const counted = groupItems(await this.#deps.questions.countLexemes(db, lexemes), ({ botId }) => botId);
    return new Map(
      counted.map(([botId, rows]) => [botId, new Map(rows.map((row) => [row.lexeme, row] as const))]),
    );
  }

  async #storeGroups(db: Database, grouped: GroupedQuestion[], markers: Markers): Promise<void> {
    if (grouped.length === 0) return;
    const { questions } = this.#deps;
    const first = grouped.filter(({ isFirst }) => isFirst);
    await questions.insertClusters(
      db,
      first.map(({ clusterId, question: { orgId, botId } }) => ({
        id: clusterId,
        orgId,
        botId,
        keyId: markers.get(orgId)?.id ?? null,
      })),
    );
    const members = grouped.map(({ question, wordsId, clusterId, isFirst }) => ({
      messageId: question.id,
      orgId: question.orgId,
      clusterId,
      wordsId,
      conversationId: question.conversationId,
      askedAt: question.createdAt,
      isUnanswered: question.isUnanswered,
      isPattern: isFirst,
    }));
    await questions.insertMembers(db, members);
    await questions.insertTerms(
      db,
      first.flatMap(({ question, words }) => toQuestionTerms(question.botId, question.id, words)),
    );
    const counted = grouped.map(({ question, clusterId }) => ({
      clusterId,
      day: formatUtcDay(question.createdAt),
      orgId: question.orgId,
      botId: question.botId,
      asked: 1,
      unanswered: question.isUnanswered ? 1 : 0,
    }));
    await questions.addToDays(db, sumByDay(counted));
  }

  /** Chooses a new pattern question for clusters whose pattern was deleted: the oldest remaining question. */
  async #renewPatterns(db: Database, clusterIds: string[]): Promise<void> {
    const { questions } = this.#deps;
    const candidates = await questions.listWithoutPattern(db, clusterIds);
    const markers = await loadMarkers(db, listOrgIds(candidates));
    const newPatterns = candidates.flatMap((candidate) => {
      if (!markers.has(candidate.orgId)) return [];
      const question = readQuestion({ ...candidate, ...AS_A_QUESTION });
      return question ? [{ ...candidate, messageId: candidate.id, ...question }] : [];
    });
    if (newPatterns.length === 0) return;
    const words = await stemQuestions(db, questions, newPatterns);
    for (const [index, { botId, orgId, clusterId, messageId }] of newPatterns.entries()) {
      const marker = markers.get(orgId)!;
      const marked = markWords(marker, words[index]!);
      if (!(await questions.markPattern(db, messageId, deriveWordsId(botId, marked)))) continue;
      await questions.insertTerms(db, toQuestionTerms(botId, messageId, marked));
      await questions.updateKey(db, [clusterId], marker?.id ?? null);
    }
  }
}

/**
 * Facts with which `readQuestion` accepts a message again. A message in a cluster was accepted as a question
 * before.
 */
const AS_A_QUESTION = {
  optionId: null,
  followsInputRequest: false,
  searchedDocuments: true,
  isFollowUp: false,
};

function listOrgIds(rows: readonly { orgId: string }[]): string[] {
  return rows.map(({ orgId }) => orgId);
}

function toAskedQuestions(message: Opened<AskedMessage>): AskedQuestion[] {
  const question = readQuestion(message);
  return question ? [{ ...message, ...question }] : [];
}

function toPatternSearches(botId: string, matcher: ClusterMatcher, words: QuestionWords): PatternSearch[] {
  return matcher.listSearchKeys(words).map((word) => ({ ...word, botId, lexemes: words.lexemes }));
}

import { In, IsNull, LessThanOrEqual, MoreThan, Not, Or } from 'typeorm';
import type { ClusterSearchKey } from '../../core/analytics/same-question.ts';
import { decryptAvailableRows, decryptRows } from '../../database/content.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { aliasTable } from '../../database/table.ts';
import type { Opened } from '../../database/sealed-columns.ts';
import { QuestionCluster } from '../../entities/analytics/question-cluster.entity.ts';
import { QuestionDay } from '../../entities/analytics/question-day.entity.ts';
import { QuestionDelta } from '../../entities/analytics/question-delta.entity.ts';
import { QuestionMember } from '../../entities/analytics/question-member.entity.ts';
import { QuestionTerm } from '../../entities/analytics/question-term.entity.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { Message } from '../../entities/conversations/message.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';
import {
  ADD_TO_DAYS,
  COUNT_LEXEMES,
  FIND_BY_WORDS,
  FIND_PATTERNS,
  LEXEMES_OF_QUESTIONS,
  MAX_COUNTED,
  TOP_QUESTIONS,
} from './question.sql.ts';
import type {
  WordSetCluster,
  CountedLexeme,
  PatternMatch,
  AskedLexeme,
  TopQuestion,
} from './question.sql.ts';

/**
 * Maximum number of cluster patterns with which a batch of questions is compared. Each takes some
 * microseconds, and the questions of all workspaces wait for the batch.
 */
const MAX_COMPARED = 100_000;

export const questionOrders = ['unanswered', 'asked'] as const;

export interface QuestionFilter {
  /** First day in UTC (`from`), and the day after the last day (`to`), of the questions to list. */
  from: string;
  to: string;
  botId: string | null;
  sort: (typeof questionOrders)[number];
  limit: number;
}

/** A search for a bot's question clusters by a single lexeme of a question. */
export interface PatternSearch extends ClusterSearchKey {
  botId: string;
  /** All lexemes of the question, to compare with the lexemes of the cluster patterns found. */
  lexemes: readonly string[];
}

/** A question that can become the pattern of its cluster, with which new questions are compared. */
export interface PatternCandidate extends Pick<Message, 'id' | 'orgId' | 'keyId' | 'content'> {
  clusterId: string;
  botId: string;
  language: string;
}

/** A cluster of questions with the text of its newest message. */
export type QuestionWithContent = Omit<TopQuestion, 'message'> & { content: string };

const q = aliasTable(QuestionMember, 'q');
const cluster = aliasTable(QuestionCluster, 'cluster');

/** Stores visitors' questions, their clusters, and how often they were asked each day. */
export class QuestionRepository {
  /** Lists the question clusters that were asked in the range of days, in the filter's sort order. */
  async listTop({ db, orgId }: OrgScope, filter: QuestionFilter): Promise<QuestionWithContent[]> {
    const { from, to, botId, sort, limit } = filter;
    const top = await db.run(TOP_QUESTIONS, [orgId, from, to, botId, sort, limit]);
    const messages = await decryptRows(
      db,
      Message,
      top.map(({ message }) => message),
    );
    return top.map(({ message: _, ...question }, index) => ({
      ...question,
      content: messages[index]!.content,
    }));
  }

  /** Returns the PostgreSQL text search configurations of each bot's documents, the most frequent first. */
  async listDocumentConfigs(db: Database, botIds: string[]): Promise<Map<string, string[]>> {
    const corpora = await db.repository(SearchTerm).find({
      where: { botId: In(botIds), lexeme: '', chunkCount: MoreThan(0) },
      order: { chunkCount: 'DESC', searchConfig: 'ASC' },
    });
    const configs = new Map<string, string[]>();
    for (const { botId, searchConfig } of corpora)
      configs.set(botId, [...(configs.get(botId) ?? []), searchConfig]);
    return configs;
  }

  listLexemes(
    db: Database,
    questions: readonly { config: string; content: string; names: string }[],
  ): Promise<AskedLexeme[]> {
    return db.run(LEXEMES_OF_QUESTIONS, [
      questions.map(({ config }) => config),
      questions.map(({ content }) => content),
      questions.map(({ names }) => names),
    ]);
  }

  countLexemes(
    db: Database,
    lexemes: readonly Pick<CountedLexeme, 'botId' | 'lexeme'>[],
  ): Promise<CountedLexeme[]> {
    return db.run(COUNT_LEXEMES, [lexemes.map(({ botId }) => botId), lexemes.map(({ lexeme }) => lexeme)]);
  }

  /** Finds the question clusters of earlier questions that have exactly these words. */
  listByWords(db: Database, wordsIds: readonly string[]): Promise<WordSetCluster[]> {
    return db.run(FIND_BY_WORDS, [wordsIds]);
  }

  listPatterns(db: Database, searches: readonly PatternSearch[]): Promise<PatternMatch[]> {
    return db.run(FIND_PATTERNS, [
      searches.map(({ botId }) => botId),
      searches.map(({ lexeme }) => lexeme),
      searches.map(({ min }) => min),
      searches.map(({ max }) => max),
      searches.map(({ lexemes }) => lexemes.join(' ')),
      limitComparedPatterns(searches.length),
    ]);
  }

  async insertClusters(
    db: Database,
    clusters: Pick<QuestionCluster, 'id' | 'orgId' | 'botId' | 'keyId'>[],
  ): Promise<void> {
    await db.repository(QuestionCluster).insert(clusters);
  }

  async insertMembers(db: Database, members: QuestionMember[]): Promise<void> {
    await db.repository(QuestionMember).insert(members);
  }

  async insertTerms(db: Database, terms: QuestionTerm[]): Promise<void> {
    await db.repository(QuestionTerm).insert(terms);
  }

  /** Adds to the daily counts of question clusters. Each cluster and day must occur only once. */
  async addToDays(db: Database, days: readonly QuestionDay[]): Promise<void> {
    await db.run(ADD_TO_DAYS, [
      days.map(({ clusterId }) => clusterId),
      days.map(({ day }) => day),
      days.map(({ orgId }) => orgId),
      days.map(({ botId }) => botId),
      days.map(({ asked }) => asked),
      days.map(({ unanswered }) => unanswered),
    ]);
  }

  /**
   * Deletes a batch of deltas of question counts and returns them. The caller must add them to the daily
   * counts.
   */
  async claimDeltas(db: Database, limit: number): Promise<QuestionDelta[]> {
    const deltas = await db.repository(QuestionDelta).find({ order: { id: 'ASC' }, take: limit });
    await db.repository(QuestionDelta).delete({ id: In(deltas.map(({ id }) => id)) });
    return deltas;
  }

  async deleteEmptyDays(db: Database, clusterIds: string[]): Promise<void> {
    await db.repository(QuestionDay).delete({ clusterId: In(clusterIds), asked: LessThanOrEqual(0) });
  }

  /**
   * Deletes those of the given question clusters that no longer have questions. Returns the number of deleted
   * clusters.
   */
  async deleteEmptyClusters(db: Database, clusterIds: string[]): Promise<number> {
    const { affected } = await db
      .repository(QuestionCluster)
      .createQueryBuilder()
      .delete()
      .where({ id: In(clusterIds) })
      .andWhere(`NOT EXISTS (SELECT FROM ${q.from} WHERE ${q('clusterId')} = ${cluster.table}.id)`)
      .execute();
    return affected ?? 0;
  }

  /**
   * Returns the oldest question of each cluster whose pattern was deleted. Skips questions whose encryption
   * key is unavailable.
   */
  async listWithoutPattern(db: Database, clusterIds: string[]): Promise<Opened<PatternCandidate>[]> {
    const candidates = await db
      .repository(QuestionMember)
      .createQueryBuilder('member')
      .distinctOn(['member.clusterId'])
      .innerJoin(QuestionCluster, 'cluster', 'cluster.id = member.clusterId')
      .innerJoin(Message, 'message', 'message.id = member.messageId')
      .innerJoin(Bot, 'bot', 'bot.id = cluster.botId')
      .select('message.id', 'id')
      .addSelect('message.orgId', 'orgId')
      .addSelect('message.keyId', 'keyId')
      .addSelect('member.clusterId', 'clusterId')
      .addSelect('bot.id', 'botId')
      .addSelect('message.content', 'content')
      .addSelect('bot.language', 'language')
      .where({ clusterId: In(clusterIds) })
      .andWhere(
        `NOT EXISTS (SELECT FROM ${q.from} WHERE ${q('clusterId')} = member.clusterId AND ${q('isPattern')})`,
      )
      .orderBy({ 'member.clusterId': 'ASC', 'member.askedAt': 'ASC', 'member.messageId': 'ASC' })
      .getRawMany<PatternCandidate>();
    return (await decryptAvailableRows(db, Message, candidates)).filter((candidate) => candidate !== null);
  }

  /** Lists question clusters whose search words are not marked with this key, page by page. */
  async listWithOtherKey(
    { db, orgId }: OrgScope,
    keyId: string | null,
    { after, limit }: { after: string | null; limit: number },
  ): Promise<Pick<QuestionCluster, 'id' | 'keyId'>[]> {
    return db.repository(QuestionCluster).find({
      select: { id: true, keyId: true },
      where: {
        orgId,
        keyId: keyId === null ? Not(IsNull()) : Or(IsNull(), Not(keyId)),
        ...(after !== null && { id: MoreThan(after) }),
      },
      order: { id: 'ASC' },
      take: limit,
    });
  }

  /**
   * Deletes the search words of question clusters and unmarks their patterns. New questions do not find these
   * clusters until each has a new pattern.
   */
  async deletePatterns(db: Database, clusterIds: string[]): Promise<void> {
    const members = db.repository(QuestionMember);
    const patterns = await members.findBy({ clusterId: In(clusterIds), isPattern: true });
    await db.repository(QuestionTerm).delete({ messageId: In(patterns.map(({ messageId }) => messageId)) });
    await members.update({ clusterId: In(clusterIds) }, { isPattern: false, wordsId: () => 'message_id' });
  }

  async updateKey(db: Database, clusterIds: string[], keyId: string | null): Promise<void> {
    await db.repository(QuestionCluster).update({ id: In(clusterIds) }, { keyId });
  }

  /**
   * Makes a question the pattern of its cluster.
   * @returns false if the question was deleted
   */
  async markPattern(db: Database, messageId: string, wordsId: string): Promise<boolean> {
    const { affected } = await db
      .repository(QuestionMember)
      .update({ messageId }, { isPattern: true, wordsId });
    return affected === 1;
  }
}

/**
 * Returns the maximum number of cluster patterns to compare with each search key. The keys of a batch share
 * MAX_COMPARED comparisons; each key gets at most MAX_COUNTED.
 */
export function limitComparedPatterns(keyCount: number): number {
  return Math.min(MAX_COUNTED, Math.floor(MAX_COMPARED / Math.max(1, keyCount)));
}

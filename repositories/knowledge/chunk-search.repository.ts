import type { OrgScope } from '../../database/org-scope.ts';
import { MATCH_CHUNKS, READ_PASSAGES, READ_QUESTION, SEARCH_BY_INDEX } from './chunk-search.sql.ts';

/** A word of the question as the index knows it. */
export interface QuestionLexeme {
  lexeme: string;
  /** Chunks that have it, and those that have it in their title or headings. */
  chunkCount: number;
  headingCount: number;
}

/** The same in one of the bot's languages, of whose chunks there are `total`. */
export interface LexemeRow extends QuestionLexeme {
  config: string;
  total: number;
}

/** What a chunk has of a question; sums are over the weights of the lexemes that it contains. */
export interface MatchedChunk {
  chunkId: string;
  documentId: string;
  covered: number;
  headingCovered: number;
  /** Each weight times how often and how prominently the chunk has the lexeme, from 0 to 1. */
  prominence: number;
  lexemeCount: number;
  /** How near to each other it has them, from 0 to 1. */
  proximity: number;
  /** Distinct lexemes. */
  length: number;
}

/** What is looked for; of lexemes and queries as PostgreSQL writes them. */
export interface ChunkQuery {
  botId: string;
  config: string;
  /** Only documents that carry one of these. */
  tags: string[] | null;
  rare: string | null;
  common: string | null;
  lexemes: readonly { anywhere: string; inHeading: string; weight: number }[];
  /** What is the better the nearer its words are to each other. */
  near: string;
}

/** A chunk as people and models read it. */
export interface Passage {
  documentId: string;
  chunkId: string;
  title: string;
  headings: string[];
  sourceUrl: string | null;
  text: string;
}

/** What is found in the index of a bot's chunks. */
export class ChunkSearchRepository {
  /**
   * The lexemes of a question in each of the bot's languages. From then on the transaction searches by index.
   * @param question as languages without and with a stemmer take it
   */
  async readQuestion(
    { db }: OrgScope,
    botId: string,
    { simple, stemmed }: { simple: string; stemmed: string },
  ): Promise<LexemeRow[]> {
    // They travel together.
    const [rows] = await Promise.all([
      db.run(READ_QUESTION, [botId, simple, stemmed]),
      db.run(SEARCH_BY_INDEX),
    ]);
    return rows;
  }

  match(
    { db, orgId }: OrgScope,
    { botId, config, tags, rare, common, lexemes, near }: ChunkQuery,
  ): Promise<MatchedChunk[]> {
    return db.run(MATCH_CHUNKS, [
      botId,
      orgId,
      config,
      tags,
      rare,
      common,
      lexemes.map(({ anywhere }) => anywhere),
      lexemes.map(({ inHeading }) => inHeading),
      lexemes.map(({ weight }) => weight),
      near,
    ]);
  }

  listPassages({ db, orgId }: OrgScope, chunkIds: readonly string[]): Promise<Passage[]> {
    return db.run(READ_PASSAGES, [chunkIds, orgId]);
  }
}

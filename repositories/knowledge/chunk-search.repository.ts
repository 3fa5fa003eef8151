import type { OrgScope } from '../../database/org-scope.ts';
import { MATCH_CHUNKS, READ_PASSAGES, READ_QUESTION, SEARCH_BY_INDEX } from './chunk-search.sql.ts';
import type { LexemeRow, MatchedChunk, Passage } from './chunk-search.sql.ts';

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

/** What is found in the index of a bot's chunks. */
export class ChunkSearchRepository {
  /**
   * The lexemes of a question in each of the bot's languages. From then on the transaction searches by index.
   * @param question as languages without and with a stemmer take it, and the names in it
   */
  async readQuestion(
    { db }: OrgScope,
    botId: string,
    { simple, stemmed, names }: { simple: string; stemmed: string; names: string },
  ): Promise<LexemeRow[]> {
    // They travel together.
    const [rows] = await Promise.all([
      db.run(READ_QUESTION, [botId, simple, stemmed, names]),
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

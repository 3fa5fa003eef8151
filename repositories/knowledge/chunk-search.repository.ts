import { In, MoreThan } from 'typeorm';
import { openRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';
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

  /** How many chunks have these lexemes, by language and lexeme; those that some have. */
  async countTerms(
    { db }: OrgScope,
    botId: string,
    lexemes: readonly string[],
  ): Promise<Map<string, { chunkCount: number; headingCount: number }>> {
    const asked = lexemes.flatMap((lexeme) => [lexeme, `#${lexeme}`]);
    const terms = await db
      .repository(SearchTerm)
      .find({ where: { botId, lexeme: In(asked), chunkCount: MoreThan(0) } });
    const counts = new Map(terms.map((term) => [`${term.searchConfig} ${term.lexeme}`, term.chunkCount]));
    return new Map(
      terms
        .filter(({ lexeme }) => !lexeme.startsWith('#'))
        .map(({ searchConfig, lexeme, chunkCount }) => [
          `${searchConfig} ${lexeme}`,
          { chunkCount, headingCount: counts.get(`${searchConfig} #${lexeme}`) ?? 0 },
        ]),
    );
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

  /** @throws AppError `key_unavailable` */
  async listPassages({ db, orgId }: OrgScope, chunkIds: readonly string[]): Promise<Passage[]> {
    const rows = await db.run(READ_PASSAGES, [chunkIds, orgId]);
    const opened = await openRows(db, Chunk, rows);
    return opened.map(({ id: _, orgId: __, keyId: ___, ...passage }) => passage);
  }
}

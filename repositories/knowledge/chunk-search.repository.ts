import { In, MoreThan } from 'typeorm';
import { listCanonicalForms } from '../../core/text/canonical-forms.ts';
import { decryptRows } from '../../database/content.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { Chunk } from '../../entities/knowledge/chunk.entity.ts';
import { SearchTerm } from '../../entities/knowledge/search-term.entity.ts';
import {
  ALLOW_BITMAP_SCANS,
  FIND_VARIANTS,
  MATCH_CHUNKS,
  READ_PASSAGES,
  READ_QUESTION,
  SEARCH_BY_INDEX,
} from './chunk-search.sql.ts';
import type { LexemeRow, MatchedChunk, Passage } from './chunk-search.sql.ts';

/**
 * Parameters of a full-text search in a bot's chunks. Lexemes and queries are in PostgreSQL's `tsquery`
 * syntax.
 */
export interface ChunkQuery {
  botId: string;
  config: string;
  /** Tags of the documents to search, of which a document must have one; null searches all documents. */
  tags: string[] | null;
  rare: string | null;
  common: string | null;
  lexemes: readonly { anywhere: string; inHeading: string; weight: number }[];
  /** Query for the proximity score of a chunk, which is higher if the words are closer to each other. */
  near: string;
}

/** Runs full-text searches in a bot's chunks. */
export class ChunkSearchRepository {
  /**
   * Returns the lexemes of a question in each language of the bot. Later searches of the transaction use
   * indexes only.
   * @param question text of the question for languages with and without a stemmer, and the names in the
   *   question
   */
  async readQuestion(
    { db }: OrgScope,
    botId: string,
    { simple, stemmed, names }: { simple: string; stemmed: string; names: string },
  ): Promise<LexemeRow[]> {
    // Start the statements together, so that they take one round trip.
    const [, rows] = await Promise.all([
      db.run(SEARCH_BY_INDEX),
      db.run(READ_QUESTION, [botId, simple, stemmed, names]),
      db.run(ALLOW_BITMAP_SCANS),
    ]);
    return rows;
  }

  /** Counts the bot's chunks that contain each lexeme, by language. Skips lexemes without chunks. */
  async countTerms(
    { db }: OrgScope,
    botId: string,
    lexemes: readonly string[],
  ): Promise<Map<string, { chunkCount: number; headingCount: number }>> {
    const searchedLexemes = lexemes.flatMap((lexeme) => [lexeme, `#${lexeme}`]);
    const terms = await db
      .repository(SearchTerm)
      .find({ where: { botId, lexeme: In(searchedLexemes), chunkCount: MoreThan(0) } });
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

  /** Returns the lexemes of a misspelled word's variants that the bot's chunks in these languages contain. */
  async findVariants(
    { db }: OrgScope,
    botId: string,
    { configs, variants }: { configs: readonly string[]; variants: readonly string[] },
  ): Promise<Omit<LexemeRow, 'total' | 'isName'>[]> {
    return db.run(FIND_VARIANTS, [botId, configs, variants.join(' ')]);
  }

  match(
    { db, orgId }: OrgScope,
    { botId, config, tags, rare, common, lexemes, near }: ChunkQuery,
  ): Promise<MatchedChunk[]> {
    return db.run(MATCH_CHUNKS, [
      botId,
      orgId,
      config,
      tags?.flatMap(listCanonicalForms) ?? null,
      rare,
      common,
      lexemes.map(({ anywhere }) => anywhere),
      lexemes.map(({ inHeading }) => inHeading),
      lexemes.map(({ weight }) => weight),
      near,
    ]);
  }

  /**
   * Returns the decrypted texts of chunks.
   * @throws AppError `key_unavailable`
   */
  async listPassages({ db, orgId }: OrgScope, chunkIds: readonly string[]): Promise<Passage[]> {
    const rows = await db.run(READ_PASSAGES, [chunkIds, orgId]);
    const opened = await decryptRows(db, Chunk, rows);
    return opened.map(({ id: _, orgId: __, keyId: ___, ...passage }) => passage);
  }
}

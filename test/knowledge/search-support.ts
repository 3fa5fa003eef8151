import type { DataSource } from 'typeorm';
import { extractDocument } from '../../adapters/extraction/extract.ts';
import { newId } from '../../core/ids.ts';
import { createLogger } from '../../core/logger.ts';
import { Bot } from '../../entities/bots/bot.entity.ts';
import { createDataSource } from '../../entities/data-source.ts';
import { Database } from '../../database/database.ts';
import { Document } from '../../entities/knowledge/document.entity.ts';
import { Org } from '../../entities/team/org.entity.ts';
import { BotRepository } from '../../repositories/bots/bot.repository.ts';
import { inTransaction, type OrgScope } from '../../database/org-scope.ts';
import { ChunkIndex } from '../../services/knowledge/ingestion/chunk-index.ts';
import { chunkSections } from '../../services/knowledge/ingestion/chunker.ts';
import { FullTextSearch } from '../../services/knowledge/search/full-text-search.ts';
import { detectLanguage, chooseSearchConfig } from '../../services/knowledge/ingestion/language.ts';
import { toSearchText } from '../../services/knowledge/search/search-text.ts';
import { createKnowledgeSearchLimits } from '../../services/knowledge/search/knowledge-search-limits.ts';
import { SearchService } from '../../services/knowledge/search/search-service.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

export interface DocumentOverrides {
  title?: string;
  filename?: string;
  tags?: string[];
  sourceUrl?: string;
}

/** A test database into which documents are indexed as in production, without the API, Temporal and threads. */
export class KnowledgeBench {
  readonly chunkIndex = new ChunkIndex();
  readonly search = new SearchService({
    bots: new BotRepository(),
    limits: createKnowledgeSearchLimits({ databasePool: 4, knowledgeSearchSeconds: 30 }),
    log: createLogger('test', 'silent'),
    fullText: new FullTextSearch(),
  });
  readonly database: Database;
  readonly #dataSource: DataSource;
  readonly #testDatabase: TestDatabase;

  private constructor(testDatabase: TestDatabase, dataSource: DataSource) {
    this.#testDatabase = testDatabase;
    this.#dataSource = dataSource;
    this.database = new Database(dataSource);
  }

  static async open(): Promise<KnowledgeBench> {
    const testDatabase = await createTestDatabase();
    const dataSource = createDataSource({ databaseUrl: testDatabase.url, databasePool: 4 });
    return new KnowledgeBench(testDatabase, await dataSource.initialize());
  }

  async close(): Promise<void> {
    await this.#dataSource.destroy();
    await this.#testDatabase.drop();
  }

  async buildOrg(): Promise<OrgScope> {
    const orgId = newId();
    await this.database
      .repository(Org)
      .insert({ id: orgId, payerId: orgId, name: 'Acme', slug: orgId, planTier: 'enterprise' });
    return { orgId, db: this.database };
  }

  async buildBot({ orgId }: OrgScope): Promise<string> {
    const id = newId();
    await this.database.repository(Bot).insert({
      id,
      orgId,
      name: 'Help desk',
      publicKey: `pk_${id}`,
      llmProvider: 'platform',
      temperature: 0.7,
      maxTokens: 1024,
      thinkingBudgetTokens: 2048,
      rateLimitPerMinute: 20,
    });
    return id;
  }

  /** Extracts, chunks and indexes the content of a text or file. Returns the document’s id. */
  async addDocument(
    scope: OrgScope,
    botId: string,
    content: string | Buffer,
    { title = '', filename = 'page.md', tags = [], sourceUrl }: DocumentOverrides = {},
  ): Promise<string> {
    const documentId = newId();
    const source = { bytes: Buffer.from(content), filename, mimeType: null };
    const { sections, ...read } = await extractDocument(source);
    const searchConfig = chooseSearchConfig(
      (await detectLanguage(sections.map(({ text }) => text).join(' '))) ?? read.language,
    );
    const chunks = [...chunkSections(sections, { title: title || read.title })];
    const searchable = chunks.map((chunk) => ({
      ...chunk,
      searchText: toSearchText(chunk.text, searchConfig),
    }));
    const place = { botId, documentId, title: title || read.title || '' };
    await this.database.repository(Document).insert({
      id: documentId,
      orgId: scope.orgId,
      botId,
      sourceType: 'raw_text',
      status: 'indexed',
      title: place.title,
      tags,
      sourceUrl: sourceUrl ?? null,
    });
    await inTransaction(scope, (inside) =>
      this.chunkIndex.replaceChunks(inside, place, [searchable], searchConfig),
    );
    return documentId;
  }
}

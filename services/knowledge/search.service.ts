import type { OrgScope } from '../../repositories/org-scope.ts';

export interface SearchHit {
  documentId: string;
  chunkId: string;
  title: string;
  headings: string[];
  sourceUrl: string | null;
  text: string;
  score: number;
  matchedBy: string;
}

export class SearchService {
  async search(_scope: OrgScope, _botId: string, _query: { query: string; limit: number; tags?: string[] }): Promise<SearchHit[]> {
    return [];
  }
}

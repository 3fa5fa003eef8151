import type { Document } from '../../entities/knowledge/document.entity.ts';

/** Returns the fields that every document event contains. */
export function documentEventData(document: Document) {
  return {
    document_id: document.id,
    bot_id: document.botId,
    title: document.title,
    source_type: document.sourceType,
    source_url: document.sourceUrl,
  };
}

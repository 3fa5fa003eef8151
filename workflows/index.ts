export { crawlSite } from './crawl-site.ts';
export { deleteDocument } from './delete-document.ts';
export { ingestDocument } from './ingest-document.ts';
export { purgeBot } from './purge-bot.ts';
export { purgeExpired } from './purge-expired.ts';
export { sweepDeliveries } from './sweep-deliveries.ts';
export { sweepDocuments } from './sweep-documents.ts';
export { webhookDelivery } from './webhook-delivery.ts';

import { openJson, requireContent, sealRowWith } from '../../database/content.ts';
import { getContentKeys, type ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

const content = requireContent(WebhookDelivery);

/** Decrypted payload of a delivery, with a function that seals the response. */
export interface DeliveryContent {
  /** The body's `data` as JSON text. */
  data: string;
  /** Returns the body as stored, sealed with the key of the delivery's row; null if the row has no key and its workspace now seals content. */
  sealResponse(responseBody: string | null): Promise<string | null>;
}

/** @throws AppError `key_unavailable`, Error for content that is not genuine */
export async function openDelivery(db: Database, delivery: ClaimedDelivery): Promise<DeliveryContent> {
  const { id, orgId, keyId } = delivery;
  const keys = getContentKeys(db.dataSource);
  const data = await openJson(db, WebhookDelivery, 'payload', delivery, delivery.data);
  if (keyId === null) {
    const isReadable = () =>
      keys.getCurrentKey(orgId).then(
        (key) => key === null,
        () => false,
      );
    const sealResponse = async (responseBody: string | null) => ((await isReadable()) ? responseBody : null);
    return { data, sealResponse };
  }
  const key = keys.requireOpenKey(orgId, keyId);
  const sealResponse = (responseBody: string | null) =>
    Promise.resolve(sealResponseBody(key, id, responseBody));
  return { data, sealResponse };
}

function sealResponseBody(key: ContentKey, id: string, responseBody: string | null): string | null {
  return sealRowWith(content, key, { id, responseBody }).responseBody;
}

import { decryptJson, requireContent, sealRowWith } from '../../database/content.ts';
import { getContentKeys, type ContentKey } from '../../database/content-keys.ts';
import type { Database } from '../../database/database.ts';
import { WebhookDelivery } from '../../entities/webhooks/webhook-delivery.entity.ts';
import type { ClaimedDelivery } from '../../repositories/webhooks/delivery-queue.sql.ts';

const content = requireContent(WebhookDelivery);

/** Decrypted payload of a webhook delivery, and a function that encrypts the receiver's response. */
export interface DeliveryContent {
  /** JSON text of the field `data` in the delivery's request body. */
  data: string;
  /**
   * Returns the receiver's response body in its stored form: encrypted with the key of the delivery's row.
   * Null if the row has no key but its workspace now encrypts content.
   */
  sealResponse(responseBody: string | null): Promise<string | null>;
}

/**
 * @throws AppError `key_unavailable`; Error if the delivery's payload was changed or copied from another row
 */
export async function decryptDelivery(db: Database, delivery: ClaimedDelivery): Promise<DeliveryContent> {
  const { id, orgId, keyId } = delivery;
  const keys = getContentKeys(db.dataSource);
  const data = await decryptJson(db, WebhookDelivery, 'payload', delivery, delivery.data);
  if (keyId === null) {
    const storesPlain = () =>
      keys.getCurrentKey(orgId).then(
        (key) => key === null,
        () => false,
      );
    const sealResponse = async (responseBody: string | null) => ((await storesPlain()) ? responseBody : null);
    return { data, sealResponse };
  }
  const key = keys.requireCachedKey(orgId, keyId);
  const sealResponse = (responseBody: string | null) =>
    Promise.resolve(sealResponseBody(key, id, responseBody));
  return { data, sealResponse };
}

function sealResponseBody(key: ContentKey, id: string, responseBody: string | null): string | null {
  return sealRowWith(content, key, { id, responseBody }).responseBody;
}

import { withoutIndexes, withoutTriggers } from './bulk-load.ts';
import { createRequestProbe, type Dimension } from './dimension.ts';

const PART = 250_000;
/** Share of the failed webhook deliveries: one in 500. */
const FAILED = 500;

const buildDeliveriesProbe = (filter: string) =>
  createRequestProbe(
    `listDeliveries${filter ? ` ${filter}` : ''}`,
    () => `/api/webhooks/deliveries?page_size=20&${filter}`,
  );

/** Dimension “rows of the log of webhook deliveries”; the measured workspace has half of them. */
export const deliveryLog: Dimension = {
  name: 'deliveries in the log',
  sizes: [100_000, 1_000_000, 5_000_000],
  probes: [buildDeliveriesProbe(''), buildDeliveriesProbe('event=conversation.ended')],
  grow: async ({ db, workspace, neighbor }, from, to) => {
    const [mine, other] = [workspace, neighbor].map(({ orgId, endpoints: [endpoint] }) => [
      orgId,
      endpoint!.id,
    ]);
    const fill = async (at: number) => {
      const until = Math.min(at + PART, to);
      await db.sql(
        `INSERT INTO webhook_deliveries (id, org_id, webhook_id, event_id, event, payload, status, attempts,
           response_status, duration_ms, delivered_at, created_at)
         SELECT uuidv7(made.at - now()), CASE WHEN n % 2 = 0 THEN $1 ELSE $3 END::uuid,
                CASE WHEN n % 2 = 0 THEN $2 ELSE $4 END::uuid, 'growth-' || n,
                CASE WHEN n % 50 = 0 THEN 'conversation.ended' ELSE 'conversation.started' END,
                json_build_object('conversation_id', gen_random_uuid(), 'page_url', 'https://www.example.com/' || n),
                CASE WHEN n % ${FAILED} = 0 THEN 'failed' ELSE 'delivered' END, 1, 200, 12, made.at, made.at
         FROM generate_series($5::int + 1, $6::int) n
         CROSS JOIN LATERAL (SELECT now() - interval '20 days' + n * interval '300 milliseconds' AS at) made`,
        [...mine!, ...other!, at, until],
      );
    };
    await withoutIndexes(db, ['webhook_deliveries'], () =>
      withoutTriggers(db, async () => {
        for (let at = from; at < to; at += PART) await fill(at);
      }),
    );
  },
};

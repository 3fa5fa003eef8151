import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';

/** Server to compare createBot with: Koa and pg with only the insert in a transaction. Prints its port. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
const [orgId] = process.argv.slice(2);
const app = new Koa();
app.use(async (context) => {
  for await (const _chunk of context.req);
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const id = randomUUID();
    await client.query({
      name: 'insert',
      text: `INSERT INTO bots (id, org_id, name, public_key, llm_provider, temperature, max_tokens,
               thinking_budget_tokens, rate_limit_per_minute)
             VALUES ($1, $2, 'Bare', $3, 'platform', 0.7, 1024, 2048, 30)`,
      values: [id, orgId, id],
    });
    await client.query('COMMIT');
    context.body = { id };
  } finally {
    client.release();
  }
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

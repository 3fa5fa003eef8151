import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import pg from 'pg';

/** Server to compare getBot with: Koa and pg with only the prepared query. Prints its port. */
const pool = new pg.Pool({ connectionString: process.env['DATABASE_URL'], max: 16 });
const app = new Koa();
app.use(async (context) => {
  const id = context.path.slice(context.path.lastIndexOf('/') + 1);
  const { rows } = await pool.query({ name: 'bot', text: 'SELECT * FROM bots WHERE id = $1', values: [id] });
  context.body = rows[0];
});
const server = app.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});

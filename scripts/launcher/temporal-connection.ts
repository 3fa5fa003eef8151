import { Connection } from '@temporalio/client';

const TIMEOUT_MS = 5000;

/**
 * Runs `work` with a connection to a Temporal server. Connecting and `work` together may take five seconds.
 * @throws Error if the server does not answer
 */
export async function withTemporalConnection<T>(
  address: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = await Connection.connect({ address, connectTimeout: TIMEOUT_MS });
  try {
    return await connection.withDeadline(Date.now() + TIMEOUT_MS, () => work(connection));
  } finally {
    await connection.close();
  }
}

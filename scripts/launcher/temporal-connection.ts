import { Connection } from '@temporalio/client';

const TIMEOUT_MS = 5000;

/** Asks a Temporal server something within five seconds. @throws Error when it does not answer */
export async function withConnection<T>(
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

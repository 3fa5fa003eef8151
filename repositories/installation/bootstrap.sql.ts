import { defineStatement } from '../../database/statement.ts';

/**
 * Takes the advisory lock for creating the first workspace until the transaction ends. Parameters: $1 number
 * of the lock.
 */
export const LOCK_BOOTSTRAP = defineStatement({
  name: 'lock-bootstrap',
  because: 'TypeORM does not support advisory locks.',
  text: 'SELECT pg_advisory_xact_lock($1)',
});

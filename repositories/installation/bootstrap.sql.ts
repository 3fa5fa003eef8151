import { defineStatement } from '../../database/statement.ts';

/** Values: $1 number of the lock, which is held until the transaction ends. */
export const LOCK_BOOTSTRAP = defineStatement({
  name: 'lock-bootstrap',
  because: 'TypeORM knows no advisory locks.',
  text: 'SELECT pg_advisory_xact_lock($1)',
});

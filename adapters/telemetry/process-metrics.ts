import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client';

/** State of the process's pool of PostgreSQL connections. */
interface PoolUsage {
  total: number;
  idle: number;
  /** Number of callers that wait for a database connection. */
  waiting: number;
}

/**
 * Functions that return current counts of the process, called each time that Prometheus scrapes the metrics.
 */
export interface ProcessCounts {
  pool(): PoolUsage;
  undecryptableValues(): number;
  flaggedMails(): number;
}

/**
 * Gauges of the library prom-client whose names end in `_total`, which Prometheus reserves for counters. Each
 * is the sum of a gauge that has the same name without the ending.
 */
const MISNAMED = [
  'nodejs_active_resources_total',
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
];

/**
 * Creates the metrics of both the API and the worker: memory, CPU, event loop, garbage collection,
 * connections, and tampered content.
 */
export function createProcessRegistry({ pool, undecryptableValues, flaggedMails }: ProcessCounts): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
  for (const name of MISNAMED) register.removeSingleMetric(name);
  new Gauge({
    name: 'parley_database_connections',
    help: 'Connections of this process to PostgreSQL.',
    labelNames: ['state'],
    registers: [register],
    collect() {
      const { total, idle } = pool();
      this.set({ state: 'idle' }, idle);
      this.set({ state: 'busy' }, total - idle);
    },
  });
  new Gauge({
    name: 'parley_database_waiting',
    help: 'Callers in this process that are waiting for a connection to PostgreSQL.',
    registers: [register],
    collect() {
      this.set(pool().waiting);
    },
  });
  new Counter({
    name: 'parley_sealed_values_refused_total',
    help: 'Sealed values and files that could not be decrypted although their keys were available, because they were changed or moved.',
    registers: [register],
    collect() {
      this.reset();
      this.inc(undecryptableValues());
    },
  });
  new Counter({
    name: 'parley_mails_flagged_total',
    help: 'Emails to people outside the workspace from which Parley removed a name or text: a workspace without a plan pretended to be the operator or a security team.',
    registers: [register],
    collect() {
      this.reset();
      this.inc(flaggedMails());
    },
  });
  return register;
}

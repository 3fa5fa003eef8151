import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Connections of the process's pool to PostgreSQL. */
export interface PoolUsage {
  total: number;
  idle: number;
  /** Callers that wait for a connection. */
  waiting: number;
}

/** What both programs tell of themselves: memory, CPU, event loop, garbage collection, connections. */
export function createProcessRegistry(pool: () => PoolUsage): Registry {
  const register = new Registry();
  collectDefaultMetrics({ register });
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
    help: 'Callers in this process that wait for a connection to PostgreSQL.',
    registers: [register],
    collect() {
      this.set(pool().waiting);
    },
  });
  return register;
}

import pg from 'pg';
import type { SharedParley } from '../support/parley.ts';
import { waitUntil } from '../support/wait-until.ts';

/**
 * First key of the database locks that block steps of sending alerts; the second key is the number of a step.
 * Holding the lock blocks the step.
 */
const GATE = 13;

const OF_COMMAND = `'{payload,args,0,policyId}'`;
const OF_POLICY = `'{policy_id}'`;

interface Trigger {
  on: string;
  when: string;
  /** Path to the id of the policy or workspace in the row that a step writes. */
  path: string;
  /**
   * True if the step blocks within its commit, which succeeds even though its process has died. PostgreSQL
   * rolls other steps back.
   */
  isCommitted?: boolean;
}

const alerted = { on: 'INSERT ON alerts', when: 'true', path: OF_POLICY };
const begun = {
  on: 'UPDATE ON alert_messages',
  when: "NEW.state = 'sending' AND OLD.state = 'pending'",
  path: OF_POLICY,
};
const recorded = {
  on: 'UPDATE ON alert_messages',
  when: "NEW.state = 'accepted' AND OLD.state = 'sending'",
  path: OF_POLICY,
};
const summedUp = { on: 'UPDATE ON alert_digests', when: "NEW.state = 'sent'", path: OF_POLICY };
const started = { on: 'INSERT ON alert_digests', when: 'true', path: OF_POLICY };
const verified = {
  on: 'UPDATE ON alert_destinations',
  when: 'NEW.verified_at IS NOT NULL AND OLD.verified_at IS NULL',
  path: "'{org_id}'",
};
const coded = { on: 'INSERT ON alert_messages', when: "NEW.kind = 'code'", path: "'{org_id}'" };
const booked = { on: 'INSERT ON bookings', when: 'true', path: "'{org_id}'" };

const triggers = {
  'made by the relay': alerted,
  'made and committed': { ...alerted, isCommitted: true },
  'claimed by the relay': {
    on: 'UPDATE ON outbox',
    when: "NEW.kind = 'command' AND NEW.name = 'sendAlert'",
    path: OF_COMMAND,
  },
  'handed over': {
    on: 'DELETE ON outbox',
    when: "OLD.kind = 'command' AND OLD.name = 'sendAlert'",
    path: OF_COMMAND,
  },
  'joined to a message': {
    on: 'INSERT ON alert_messages',
    when: "NEW.kind = 'alerts'",
    path: OF_POLICY,
  },
  begun,
  'begun and committed': { ...begun, isCommitted: true },
  recorded,
  'recorded and committed': { ...recorded, isCommitted: true },
  'digest started': started,
  'digest summed up': summedUp,
  'digest summed up and committed': { ...summedUp, isCommitted: true },
  'code queued': coded,
  'code queued and committed': { ...coded, isCommitted: true },
  connected: {
    on: 'UPDATE ON alert_attempts',
    when: 'NEW.connected_at IS NOT NULL AND OLD.connected_at IS NULL',
    path: "'{org_id}'",
  },
  verified,
  'verified and committed': { ...verified, isCommitted: true },
  booked,
  'booked and committed': { ...booked, isCommitted: true },
} as const satisfies Record<string, Trigger>;

export type HeldStep = keyof typeof triggers;

/**
 * Blocks processes at chosen steps of sending alerts, of single policies or workspaces, until the processes
 * are dead.
 */
export class HeldSteps {
  readonly #parley: Pick<SharedParley, 'database' | 'runtime'>;
  readonly #holder: pg.Client;
  #count = 0;

  private constructor(parley: Pick<SharedParley, 'database' | 'runtime'>, holder: pg.Client) {
    this.#parley = parley;
    this.#holder = holder;
  }

  static async install(parley: Pick<SharedParley, 'database' | 'runtime'>): Promise<HeldSteps> {
    const { database, runtime } = parley;
    await database.sql(
      'CREATE TABLE held_steps (number int PRIMARY KEY, step text, about text, is_committed boolean)',
    );
    await database.sql(
      `CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
         DECLARE of_row jsonb := to_jsonb(coalesce(NEW, OLD)); held record;
         BEGIN
           SELECT * INTO held FROM held_steps WHERE step = TG_ARGV[0] AND about = of_row #>> TG_ARGV[1]::text[];
           IF FOUND THEN PERFORM pg_advisory_xact_lock_shared(${GATE}, held.number); END IF;
           RETURN coalesce(NEW, OLD);
         END $$`,
    );
    for (const [index, [step, trigger]] of Object.entries(triggers).entries()) {
      const { on, when, path, isCommitted }: Trigger = trigger;
      const head = isCommitted
        ? `CREATE CONSTRAINT TRIGGER hold_${index} AFTER`
        : `CREATE TRIGGER hold_${index} BEFORE`;
      const deferred = isCommitted ? 'DEFERRABLE INITIALLY DEFERRED' : '';
      await database.sql(
        `${head} ${on} ${deferred} FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION hold('${step}', ${path})`,
      );
    }
    const holder = new pg.Client({ connectionString: runtime.settings.databaseUrl });
    await holder.connect();
    return new HeldSteps(parley, holder);
  }

  /** @param about id of the policy or workspace whose step is blocked */
  async hold(step: HeldStep, about: string): Promise<void> {
    const number = (this.#count += 1);
    await this.#holder.query('SELECT pg_advisory_lock($1, $2)', [GATE, number]);
    const { isCommitted = false }: Trigger = triggers[step];
    await this.#parley.database.sql('INSERT INTO held_steps VALUES ($1, $2, $3, $4)', [
      number,
      step,
      about,
      isCommitted,
    ]);
  }

  /** Resolves once a process has reached each blocked step. */
  async waitUntilReached(): Promise<void> {
    await waitUntil(async () => {
      const waiting = await this.#listWaiting();
      const held = await this.#parley.database.sql<{ number: number }>('SELECT number FROM held_steps');
      return held.every(({ number }) => waiting.some((each) => each.number === number));
    }, 'all steps to be reached');
  }

  /**
   * Unblocks all steps after their process is dead: PostgreSQL rolls uncommitted steps back, and all other
   * steps succeed.
   */
  async release(): Promise<void> {
    const { database } = this.#parley;
    const waiting = await this.#listWaiting();
    const undone = waiting.filter(({ isCommitted }) => !isCommitted);
    for (const { pid } of undone) await database.sql('SELECT pg_terminate_backend($1)', [pid]);
    await waitUntil(
      async () => (await this.#listWaiting()).every(({ isCommitted }) => isCommitted),
      'their end',
    );
    await database.sql('DELETE FROM held_steps');
    await this.#holder.query('SELECT pg_advisory_unlock_all()');
  }

  close(): Promise<void> {
    return this.#holder.end();
  }

  #listWaiting() {
    return this.#parley.database.sql<{ pid: number; number: number; isCommitted: boolean }>(
      `SELECT pid, number, is_committed AS "isCommitted" FROM pg_locks JOIN held_steps ON number = objid::int
       WHERE locktype = 'advisory' AND classid = ${GATE} AND NOT granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
  }
}

/** Turn of a running task, during which the task may keep its slot. */
interface Turn {
  readonly holder: string;
  /** Signal that aborts when the turn of the task has ended. The task should stop then. */
  readonly signal: AbortSignal;
}

interface LimitedTurn extends Turn {
  readonly ending: AbortController;
  readonly timer: NodeJS.Timeout;
  /** Whether the task has used up the time of its turn. Another holder may then end the turn. */
  isLong: boolean;
}

/** Abort signal of turns without a time limit: it never aborts. */
const never = new AbortController().signal;

/**
 * Turns of running tasks. A task keeps its slot after `turnMs` milliseconds, until another holder needs the
 * slot.
 */
export class TaskTurns {
  readonly #turnMs: number | undefined;
  readonly #onLong: () => void;
  readonly #turns = new Set<LimitedTurn>();

  /**
   * @param turnMs milliseconds of a turn; undefined if turns have no limit
   * @param onLong called when a task has used up its turn
   */
  constructor(turnMs: number | undefined, onLong: () => void) {
    this.#turnMs = turnMs;
    this.#onLong = onLong;
  }

  /** Whether any task has used up the time of its turn, but was not asked to stop yet. */
  get hasLongTasks(): boolean {
    return this.#listLong().length > 0;
  }

  /** Number of tasks whose turn has ended, but which still run. */
  get stoppingCount(): number {
    return [...this.#turns].filter(({ signal }) => signal.aborted).length;
  }

  start(holder: string): Turn {
    if (this.#turnMs === undefined) return { holder, signal: never };
    const ending = new AbortController();
    const timer = setTimeout(() => {
      turn.isLong = true;
      this.#onLong();
    }, this.#turnMs).unref();
    const turn: LimitedTurn = { holder, signal: ending.signal, ending, timer, isLong: false };
    this.#turns.add(turn);
    return turn;
  }

  finish(turn: Turn): void {
    if (!isLimited(turn)) return;
    clearTimeout(turn.timer);
    this.#turns.delete(turn);
  }

  /**
   * Ends the used-up turn of the holder that has lately used slots most, if its use exceeds `minUse`
   * milliseconds.
   */
  endOne(measureUse: (holder: string) => number, minUse: number): void {
    let worst: LimitedTurn | undefined;
    let mostUse = minUse;
    for (const turn of this.#listLong()) {
      const use = measureUse(turn.holder);
      if (use <= mostUse) continue;
      worst = turn;
      mostUse = use;
    }
    worst?.ending.abort(new Error('The turn has ended.'));
  }

  #listLong(): LimitedTurn[] {
    return [...this.#turns].filter(({ isLong, signal }) => isLong && !signal.aborted);
  }
}

function isLimited(turn: Turn): turn is LimitedTurn {
  return 'timer' in turn;
}

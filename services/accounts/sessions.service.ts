import { newId } from '../../core/ids.ts';
import type { Database } from '../../entities/database.ts';
import type { Device, SessionRepository } from '../../repositories/session.repository.ts';
import { ACCESS_SECONDS, type SessionTokens } from './session-tokens.ts';

const IDLE_DAYS = 30;
const LONGEST_DAYS = 90;

/** What somebody gets who has signed in. */
export interface Tokens {
  sessionId: string;
  orgId: string | null;
  accessToken: string;
  /** How long the access token is good for. */
  expiresInSeconds: number;
  refreshToken: string;
}

export interface SessionStart {
  userId: string;
  /** By default the workspace where the person begins to work. */
  orgId?: string | null;
  device: Device;
}

/** Who is signed in, from where, and with which tokens. */
export class SessionService {
  readonly #sessions: SessionRepository;
  readonly #tokens: SessionTokens;

  constructor({ sessions, tokens }: { sessions: SessionRepository; tokens: SessionTokens }) {
    this.#sessions = sessions;
    this.#tokens = tokens;
  }

  /** Begins a session of somebody who has shown to be this person by all factors. */
  async start(db: Database, { userId, orgId, device }: SessionStart): Promise<Tokens> {
    const sessionId = newId();
    const home = orgId === undefined ? await this.#sessions.homeOf(db, userId) : orgId;
    await this.#sessions.start(db, {
      id: sessionId,
      userId,
      orgId: home,
      device,
      idleDays: IDLE_DAYS,
      longestDays: LONGEST_DAYS,
    });
    return this.#issue(sessionId, home, 0);
  }

  #issue(sessionId: string, orgId: string | null, generation: number): Tokens {
    return {
      sessionId,
      orgId,
      accessToken: this.#tokens.access({ sessionId, orgId }),
      expiresInSeconds: ACCESS_SECONDS,
      refreshToken: this.#tokens.refresh({ sessionId, generation }),
    };
  }
}

import type { IncomingMessage } from 'node:http';
import { AppError } from '../../../core/errors/errors.ts';
import { isUuid } from '../../../core/ids.ts';
import type { Database } from '../../../database/database.ts';
import type { EngineDeps } from '../engine-deps.ts';
import type { Operation } from '../operation.ts';
import type { UserContext } from './principal.ts';
import { authorize, ORG_PARAMETER } from './rights.ts';

type PathParams = Record<string, string | undefined>;
type CallingPerson = Pick<UserContext, 'userId' | 'keyId'>;

/** Returns the id of the workspace in a request's path; null if the path has none. */
export function readPathOrgId(params: PathParams): string | null {
  const pathOrgId = params[ORG_PARAMETER];
  return pathOrgId !== undefined && isUuid(pathOrgId) ? pathOrgId.toLowerCase() : null;
}

/**
 * Supports operations that may end the access of their own caller, such as leaving a workspace. Their
 * response is also stored under identities of the caller that remain valid, so that a repeated request still
 * gets the response: docs/architecture/requests.md#repeats.
 */
export class EndedCallerPrincipals {
  readonly #operation: Operation;
  readonly #deps: Pick<EngineDeps, 'authenticator' | 'settings'>;

  constructor(operation: Operation, deps: Pick<EngineDeps, 'authenticator' | 'settings'>) {
    this.#operation = operation;
    this.#deps = deps;
  }

  /**
   * Returns additional identities of the caller under which to store the response, if the transaction has
   * ended the caller's access. Returns an empty list if not.
   * @param caller the person or API key that sent the request
   */
  async listPrincipalsIfEnded(
    db: Database,
    request: IncomingMessage,
    params: PathParams,
    caller: CallingPerson,
  ): Promise<string[]> {
    if (await this.#isEntitled(db, request, params)) return [];
    return this.#buildPrincipals(request, params, caller);
  }

  /** Returns the identities of the caller under which the response to a repeated request may be stored. */
  async listPrincipals(request: IncomingMessage, params: PathParams): Promise<string[]> {
    const holder = await this.#deps.authenticator
      .requirePerson(request, readPathOrgId(params))
      .catch((error: unknown) => {
        if (error instanceof AppError) return null;
        throw error;
      });
    return this.#buildPrincipals(request, params, holder);
  }

  async #isEntitled(db: Database, request: IncomingMessage, params: PathParams): Promise<boolean> {
    const { authenticator } = this.#deps;
    const holder = await authenticator.reloadHolder(db, request, readPathOrgId(params));
    if (!holder) return false;
    try {
      authorize(this.#operation, holder);
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /**
   * Returns an identity of the credential, and one of the person, who may repeat the request in another
   * session. Both include the workspace in the path.
   */
  #buildPrincipals(request: IncomingMessage, params: PathParams, caller: CallingPerson | null): string[] {
    const credential = this.#deps.authenticator.identifyCredential(request);
    const person = caller?.keyId === null ? `user:${caller.userId}` : null;
    const orgId = readPathOrgId(params) ?? '';
    return [credential, person].flatMap((name) => (name === null ? [] : [`ended:${orgId}:${name}`]));
  }
}

import type { Clock } from '../../core/clock.ts';
import { fromRequestId } from '../../core/ids.ts';
import type { Logger } from '../../core/logger.ts';
import type { Database } from '../../database/database.ts';
import type { OrgScope } from '../../database/org-scope.ts';
import { readPage, type CursorSigner, type Page, type PageQuery } from '../../database/page.ts';
import type { LoggedRequest } from '../../entities/requests/logged-request.entity.ts';
import type {
  NamedRequest,
  RequestLogRepository,
  RequestKinds,
} from '../../repositories/requests/request-log.repository.ts';
import type { IssuedKeyRepository } from '../../repositories/team/issued-key.repository.ts';

/** Query parameters of the operation that lists logged requests. */
export interface RequestLogQuery extends PageQuery {
  request_id?: string;
  api_key_id?: string;
  caller?: RequestKinds['caller'];
  operation?: string;
  status?: number;
  outcome?: RequestKinds['outcome'];
}

/** A finished request, as the API reports it. */
export interface FinishedRequest {
  requestId: string;
  operation?: string;
  method?: string;
  status: number | null;
  errorCode?: string;
  errorSubject?: string;
  durationMs: number;
  principal: { type: string; id: string };
  orgId?: string;
}

type NamedOperation = FinishedRequest & Required<Pick<FinishedRequest, 'operation' | 'method'>>;

/** API operation that a request calls, and the resource that it concerns. */
export interface OperationTarget {
  /** Path of the operation with the ids of resources. Other parameters and the query are omitted. */
  path: string;
  /** Workspace in the operation's path; null if the path names none. */
  orgId: string | null;
  /** True if the operation concerns the caller's account. Logs of workspaces show it only for API keys. */
  concernsAccount: boolean;
}

/** Target of a finished API request, as the log shows it. */
export interface RequestTarget extends OperationTarget {
  /** True if the caller was authorized for the operation. */
  isAuthorized: boolean;
}

/**
 * Time in milliseconds between two writes of the log of requests. Requests of the last interval are lost if
 * the process is killed.
 */
const FLUSH_INTERVAL_MS = 1000;
/**
 * Maximum number of requests that wait to be stored in the log. More arrive only while PostgreSQL does not
 * respond.
 */
const MAX_WAITING = 10_000;
/**
 * Maximum number of waiting requests of one workspace, so that its requests do not displace requests of other
 * workspaces.
 */
const MAX_WAITING_PER_ORG = 1000;
/** Maximum number of logged requests per INSERT. */
const BATCH_SIZE = 1000;

export interface RequestLogDeps {
  rows: RequestLogRepository;
  keys: IssuedKeyRepository;
  database: Database;
  keyring: CursorSigner;
  clock: Clock;
  log: Logger;
}

/**
 * Logs API requests of workspaces for a week: calls with API keys, and the writes and refused requests of
 * people.
 */
export class RequestLog {
  readonly #deps: RequestLogDeps;
  #waiting: LoggedRequest[] = [];
  readonly #waitingByOrg = new Map<string, number>();
  /** Callers with a rate-limited request that is waiting to be logged. */
  readonly #limited = new Set<string>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: RequestLogDeps) {
    this.#deps = deps;
  }

  /** Logs an API request in the background, unless the log omits requests of this kind. */
  record(request: FinishedRequest, describeTarget: (() => RequestTarget) | undefined): void {
    const row = describeTarget && isLogged(request) ? this.#toRow(request, describeTarget()) : null;
    if (!row || this.#isRepeatedRefusal(request)) return;
    const waitingOfOrg = this.#waitingByOrg.get(row.orgId) ?? 0;
    if (this.#waiting.length >= MAX_WAITING || waitingOfOrg >= MAX_WAITING_PER_ORG) {
      this.#dropped += 1;
    } else {
      this.#waiting.push(row);
      this.#waitingByOrg.set(row.orgId, waitingOfOrg + 1);
    }
    this.#timer ??= setTimeout(() => void this.flush(), FLUSH_INTERVAL_MS).unref();
  }

  /** Stores all requests recorded so far in the log. If that fails, only writes a warning. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#store());
    return this.#writing;
  }

  /**
   * Lists the workspace's logged requests, newest first. The requests of a deleted API key can still be
   * listed.
   * @throws AppError `validation_error` for a cursor of another list; `forbidden` for a key of another
   *   workspace, `not_found` for an unknown key
   */
  async list(scope: OrgScope, query: RequestLogQuery): Promise<Page<NamedRequest>> {
    const { request_id, api_key_id: apiKeyId, operation, status, outcome, caller, ...page } = query;
    const id = request_id && fromRequestId(request_id);
    const { rows, keys, keyring } = this.#deps;
    const filter = { id, apiKeyId, operation, status };
    const found = await readPage(rows.queryRequests(scope, filter, { outcome, caller }), page, keyring);
    const isKnown = apiKeyId === undefined || found.items.length > 0;
    if (!isKnown && !(await rows.hasKey(scope, apiKeyId))) await keys.get(scope, apiKeyId);
    return found;
  }

  /**
   * Returns whether a rate-limited request of the same caller already waits to be logged. The log stores one
   * a second, because callers can send any number of them.
   */
  #isRepeatedRefusal({ errorCode, principal: { type, id } }: FinishedRequest): boolean {
    if (errorCode !== 'rate_limited') return false;
    const caller = `${type}:${id}`;
    if (this.#limited.has(caller)) return true;
    this.#limited.add(caller);
    return false;
  }

  /** Returns the log's row of a request; null if its target concerns no workspace. */
  #toRow(request: NamedOperation, target: RequestTarget): LoggedRequest | null {
    const { requestId, operation, method, principal, status, errorCode, errorSubject, durationMs } = request;
    const orgId = findConcernedOrg(request, target);
    const isKey = principal.type === 'key';
    if (orgId === null || (!isKey && target.concernsAccount)) return null;
    return {
      id: fromRequestId(requestId),
      orgId,
      apiKeyId: isKey ? principal.id : null,
      userId: isKey ? null : principal.id,
      operation,
      method,
      path: target.path,
      status,
      errorCode: errorCode ?? null,
      errorSubject: errorSubject ?? null,
      durationMs: Math.round(durationMs),
      createdAt: new Date(this.#deps.clock.now().getTime() - durationMs),
    };
  }

  async #store(): Promise<void> {
    const { rows, database, log } = this.#deps;
    const [requests, dropped] = [this.#waiting, this.#dropped];
    [this.#waiting, this.#dropped] = [[], 0];
    this.#waitingByOrg.clear();
    this.#limited.clear();
    if (dropped > 0) log.warn({ dropped }, 'cannot write requests to the request log');
    for (let from = 0; from < requests.length; from += BATCH_SIZE) {
      const batch = requests.slice(from, from + BATCH_SIZE);
      try {
        await rows.insertAll(database, batch);
      } catch (error) {
        log.warn({ err: error, dropped: batch.length }, 'cannot write requests to the request log');
      }
    }
  }
}

/** Returns whether the log has requests of this kind. This is checked before the target is described. */
function isLogged(request: FinishedRequest): request is NamedOperation {
  const { operation, method, status, principal } = request;
  // Omits requests that read the log itself.
  if (operation === undefined || method === undefined || operation === 'listRequests') return false;
  if (principal.type === 'key') return true;
  // Omits reading requests by people: the console's reads would outnumber all other requests.
  const isRead = method === 'GET' || method === 'HEAD';
  return principal.type === 'user' && !(isRead && status !== null && status < 400);
}

/** Error codes with which the API refuses callers without access to the workspace in the path. */
const WITHOUT_ACCESS: ReadonlySet<string | undefined> = new Set([
  'unauthenticated',
  'forbidden',
  'not_found',
  'rate_limited',
]);

/**
 * Returns the workspace whose log shows the request: the workspace in the path, or the credential's workspace
 * if the path names none. Null if the path names another workspace, to which the caller may have no access.
 */
function findConcernedOrg({ orgId, errorCode }: FinishedRequest, target: RequestTarget): string | null {
  if (target.orgId === null || target.orgId === orgId) return orgId ?? null;
  return target.isAuthorized && !WITHOUT_ACCESS.has(errorCode) ? target.orgId : null;
}

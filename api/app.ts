import type { RequestListener } from 'node:http';
import Koa from 'koa';
import type { Tracing } from '../adapters/telemetry/tracing.ts';
import { AppError, hideTeamDetails } from '../core/errors/errors.ts';
import { createCalDavPage } from './bookings/caldav-page.ts';
import { createCalendarConfirmPage } from './bookings/calendar-confirm-page.ts';
import { serveBrowserFile } from '../web/browser-files.ts';
import { serveConsolePage } from '../web/console-page.ts';
import { createDemoPage } from './installation/demo-page.ts';
import { redirectSlash } from '../web/page.ts';
import { commonHeaders } from './http/response/common-headers.ts';
import { applyCors } from './http/response/cors.ts';
import { discardRest } from './http/body/discard-rest.ts';
import type { Operation } from './http/operation.ts';
import { toProblem, toAppError } from './http/problems/problem.ts';
import { announceBudget } from './http/limits/rate-limit.ts';
import { truncateAcceptHeaders } from './http/accept-headers.ts';
import { createRequestBasics, type RequestBasics } from './http/request-basics.ts';
import { collectFieldNames, describeErrorSubject } from './http/report/error-subject.ts';
import { logReporter, reportWhenFinished, type Reporter } from './http/report/report-when-finished.ts';
import { traceRequest } from './http/report/request-span.ts';
import { compileRoutes, type RouteMatch } from './http/routes.ts';
import { createMcpEndpoint } from './mcp/mcp-endpoint.ts';
import { createMeetingPage } from './bookings/meeting-page.ts';
import { createCapturedChats } from './alerts/captured-chats.ts';
import { createWhatsappHook } from './alerts/whatsapp-hook.ts';
import { createMailPages } from './mail/mail-pages.ts';
import { createUnsubscribePage } from './mail/unsubscribe-page.ts';
import { isPageRequest, sendErrorPage, serveErrorList } from './installation/error-page.ts';
import { serveSettingsPage } from './installation/settings-page.ts';
import { createGuidePages } from './installation/guide-pages.ts';
import { listPagePaths } from './installation/page-paths.ts';
import { createReferencePage } from './installation/reference-page.ts';
import type { EngineDeps } from './http/engine-deps.ts';

/** Error codes that mean that the caller has closed the connection. */
const CALLER_GONE: ReadonlySet<string> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET', 'EPIPE']);

/**
 * Headers that determine the host, the caller and the body. A request may have each of these headers only
 * once.
 */
const SINGLE_HEADERS = ['host', 'authorization', 'content-type'] as const;

export interface AppDeps extends EngineDeps {
  /** Called after every request with a report about the request; logs the report by default. */
  report?: Reporter;
  tracing?: Tracing | undefined;
}

/** Creates the whole API as one Koa application. */
export function createApp(operations: readonly Operation[], deps: AppDeps): Koa {
  const routes = compileRoutes(operations, deps, listPagePaths(deps.settings));
  const referencePage = createReferencePage(operations, deps);
  const guidePages = createGuidePages(deps.settings);
  const demoPage = createDemoPage({ ...deps, bots: deps.services.bots.bots });
  const renderCapturedChats = createCapturedChats({
    ...deps,
    capturedMessages: deps.services.alerts.capturedMessages,
  });
  const whatsappHook = createWhatsappHook({ ...deps, whatsappHooks: deps.services.alerts.whatsappHooks });
  const mailPages = createMailPages({ ...deps, capturedMails: deps.services.mail.capturedMails });
  const unsubscribePage = createUnsubscribePage({
    ...deps,
    preferences: deps.services.mail.emailPreferences,
  });
  const meetingPage = createMeetingPage({ ...deps, meetings: deps.services.bookings.attendeeMeetings });
  const calDavPage = createCalDavPage(deps);
  const calendarConfirmPage = createCalendarConfirmPage(deps);
  const { settings, versions, log, report = logReporter(log), tracing } = deps;
  const headers = commonHeaders(settings);
  const fieldNames = collectFieldNames(operations);
  const app = new Koa({ proxy: false });
  app.silent = true;
  const handle: RequestListener = (request, response) => void callback(request, response);
  const mcpEndpoint = createMcpEndpoint({ ...deps, handle });
  app.on('error', (error: NodeJS.ErrnoException) => {
    if (!CALLER_GONE.has(error.code ?? '')) log.error({ err: error }, 'response was interrupted');
  });
  app.use(async (koa) => {
    truncateAcceptHeaders(koa.req.headers);
    const basics = createRequestBasics(koa, settings.trustedProxies, log);
    const handled = reportWhenFinished(koa, basics, report);
    let isPublicFacing = true;
    try {
      koa.res.setHeader('X-Request-ID', basics.requestId);
      koa.res.setHeader('X-API-Version', versions.current);
      for (const [name, value] of headers) koa.res.setHeader(name, value);
      assertTargetAndHost(koa);
      assertSingleHeaders(koa);
      const route = routes(koa.method, koa.path);
      basics.operation = route.operationId;
      basics.describeTarget = route.describeTarget;
      isPublicFacing = route.isPublicFacing;
      const serve = async (): Promise<void> => {
        const isPage =
          route.operationId === undefined &&
          ((await serveConsolePage(koa)) ||
            redirectSlash(koa) ||
            serveErrorList(koa) ||
            serveSettingsPage(koa) ||
            (await mcpEndpoint(koa, basics)) ||
            (await unsubscribePage(koa)) ||
            (await meetingPage(koa)) ||
            (await calDavPage(koa)) ||
            (await calendarConfirmPage(koa)) ||
            (await whatsappHook(koa)) ||
            (await renderCapturedChats(koa)) ||
            (await mailPages(koa)) ||
            (await referencePage(koa)) ||
            (await guidePages(koa)) ||
            (await demoPage(koa)) ||
            (await serveBrowserFile(koa)));
        if (!isPage) await runRoute(koa, basics, route);
      };
      await (tracing ? traceRequest(tracing, koa, basics, route.path, serve) : serve());
    } catch (error) {
      sendProblem(koa, isPublicFacing ? hideTeamDetails(error) : error, basics, deps, fieldNames);
    } finally {
      announceBudget(koa, settings);
      handled();
      basics.startStream?.();
    }
  });
  const callback = app.callback();
  return app;
}

/**
 * Rejects an invalid request target or a missing Host header, which Node's parser accepts.
 * @throws AppError `malformed_request`
 */
function assertTargetAndHost({ req: { url = '', headers, httpVersion } }: Koa.Context): void {
  const isTarget = url.startsWith('/') || URL.canParse(url, 'http://any');
  if (isTarget && (headers.host !== undefined || httpVersion === '1.0')) return;
  throw new AppError('malformed_request', 'The request has an invalid target or no Host header.');
}

/**
 * Rejects a repeated header that may occur only once. Node uses the first header, but a proxy may have
 * checked the last.
 * @throws AppError `malformed_request`
 */
function assertSingleHeaders({ req: { headersDistinct } }: Koa.Context): void {
  const repeated = SINGLE_HEADERS.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (repeated !== undefined)
    throw new AppError(
      'malformed_request',
      `The request has more than one ${repeated} header; send only one.`,
    );
}

async function runRoute(koa: Koa.Context, basics: RequestBasics, route: RouteMatch): Promise<void> {
  applyCors(koa, route);
  if (koa.method === 'OPTIONS' && route.allowed.length > 0) koa.status = 204;
  else await route.run(koa, basics);
}

function sendProblem(
  koa: Koa.Context,
  error: unknown,
  basics: RequestBasics,
  { settings }: EngineDeps,
  fieldNames: ReadonlySet<string>,
): void {
  const failure = toAppError(error);
  basics.errorCode = failure.code;
  basics.errorSubject = describeErrorSubject(failure, fieldNames);
  if (failure.status >= 500) basics.log.error({ err: failure.cause ?? failure }, failure.message);
  koa.status = failure.status;
  koa.set(failure.headers);
  koa.remove('Content-Length');
  if (isPageRequest(koa)) {
    koa.vary('Accept');
    sendErrorPage(koa, failure, basics.requestId);
  } else sendProblemDetails(koa, failure, basics, settings.baseUrl);
  if (!koa.req.complete) discardRest(koa.req);
}

function sendProblemDetails(
  koa: Koa.Context,
  failure: AppError,
  { requestId }: RequestBasics,
  baseUrl: string,
): void {
  koa.type = 'application/problem+json';
  koa.body = JSON.stringify(toProblem(failure, requestId, baseUrl));
}

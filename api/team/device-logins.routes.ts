import { accessWords } from '../../services/team/access-words.ts';
import { toSignInContext } from '../accounts/sign-in-context.ts';
import { scopes as allScopes } from '../http/access/scopes.ts';
import { limitByAddress } from '../http/limits/address-limits.ts';
import { defineOperation } from '../http/operation.ts';
import { presentDeviceLogin, presentPoll, presentStartedLogin } from './device-logins.presenter.ts';
import {
  DeviceLoginApprove,
  DeviceLoginParams,
  DeviceLoginPoll,
  DeviceLoginPolled,
  DeviceLoginRead,
  DeviceLoginStart,
  DeviceLoginStarted,
  OrgDeviceLoginParams,
} from './device-logins.schemas.ts';

const publicAccess = { tag: 'api-keys', auth: 'public', scope: null, role: null } as const;
const ownAccess = { tag: 'api-keys', auth: 'account', scope: null, role: null } as const;

const START_WINDOW_SECONDS = 5 * 60;
/**
 * Ratio of the device logins that an IP address may start to its permitted failed sign-ins. Several people
 * may share an address.
 */
const STARTS_PER_ATTEMPT = 4;

const EXPLANATION =
  'Device logins follow RFC 8628: the device shows `user_code`, a person approves it at `verification_uri`, and the device polls until it gets an API key.';

export const startDeviceLogin = defineOperation({
  ...publicAccess,
  id: 'startDeviceLogin',
  method: 'POST',
  path: '/api/ext/device-logins',
  body: DeviceLoginStart,
  responses: { 200: DeviceLoginStarted },
  summary: 'Start a device login, which a person approves in a browser.',
  explanation: EXPLANATION,
  limits: async ({ ctx }, { settings }) =>
    limitByAddress(ctx.ip, {
      key: 'device-logins-from',
      limit: STARTS_PER_ATTEMPT * settings.signInLimitPerIp,
      windowSeconds: START_WINDOW_SECONDS,
      refusal: 'Too many device logins were started from your IP address',
    }),
  handle: async ({ ctx, body }, { team: { deviceLogins }, settings }) =>
    presentStartedLogin(await deviceLogins.start(ctx.db, body.client_name, ctx.ip), settings),
});

export const pollDeviceLogin = defineOperation({
  ...publicAccess,
  id: 'pollDeviceLogin',
  method: 'POST',
  path: '/api/ext/device-logins/poll',
  body: DeviceLoginPoll,
  responses: { 200: DeviceLoginPolled },
  errors: ['forbidden', 'not_found', 'conflict'],
  summary: 'Return the API key of an approved login, once.',
  explanation:
    'The errors of RFC 8628 have these codes: `slow_down` is 429 `rate_limited` with Retry-After, `access_denied` 403 `forbidden`, and `expired_token` 404 `not_found`. `authorization_pending` is the status `pending`. If the key was already returned, the error is 409 `conflict`.',
  handle: async ({ ctx, body, headers }, { team: { deviceLogins } }) =>
    presentPoll(
      await deviceLogins.poll(ctx.db, {
        deviceCode: body.device_code,
        version: ctx.version,
        signInContext: toSignInContext(ctx, headers, 'pollDeviceLogin'),
      }),
    ),
});

export const getDeviceLogin = defineOperation({
  ...ownAccess,
  id: 'getDeviceLogin',
  method: 'GET',
  path: '/api/ext/device-logins/{user_code}',
  params: DeviceLoginParams,
  responses: { 200: DeviceLoginRead },
  errors: ['not_found'],
  summary: 'The device, IP address and time of a login, to compare before approving it.',
  guesses: 'device_code',
  handle: async ({ ctx, params }, { team: { deviceLogins } }) =>
    presentDeviceLogin(await deviceLogins.get(ctx.db, ctx.userId, params.user_code)),
});

export const approveDeviceLogin = defineOperation({
  tag: 'api-keys',
  auth: 'session',
  scope: null,
  role: 'admin',
  id: 'approveDeviceLogin',
  method: 'POST',
  path: '/api/ext/orgs/{org_id}/device-logins/{user_code}/approve',
  params: OrgDeviceLoginParams,
  body: DeviceLoginApprove,
  responses: { 200: DeviceLoginRead },
  errors: ['not_found', 'conflict'],
  summary: 'Let the device of a login collect an API key of this workspace.',
  explanation:
    'The key never has more rights than the approving person. It is created when the device collects it.',
  exposes: 'access',
  freshProof: true,
  guesses: 'device_code',
  notifies: ({ body, result }) => accessWords.deviceApproved(result, body.scopes ?? allScopes),
  handle: async ({ ctx, params, body }, { team: { deviceLogins } }) =>
    presentDeviceLogin(await deviceLogins.approve(ctx, params.user_code, body.scopes ?? allScopes)),
});

export const denyDeviceLogin = defineOperation({
  ...ownAccess,
  id: 'denyDeviceLogin',
  method: 'POST',
  path: '/api/ext/device-logins/{user_code}/deny',
  params: DeviceLoginParams,
  responses: { 200: DeviceLoginRead },
  errors: ['not_found', 'conflict'],
  summary: 'Deny a login; its device gets no key.',
  guesses: 'device_code',
  handle: async ({ ctx, params }, { team: { deviceLogins } }) =>
    presentDeviceLogin(await deviceLogins.deny(ctx.db, ctx.userId, params.user_code)),
});

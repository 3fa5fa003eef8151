import { Type, type Static } from '@sinclair/typebox';
import { deviceLoginStatuses } from '../../entities/team/device-login.entity.ts';
import { scopes } from '../http/access/scopes.ts';
import { DateTime, Nullable, SingleLine, Strict, StringEnum, Uuid } from '../http/schemas/schemas.ts';

const UserCode = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'The code that the device shows; case and separators do not matter.',
  examples: ['WDJB-MJHT'],
});

export const DeviceLoginParams = Type.Object({ user_code: UserCode });

export const OrgDeviceLoginParams = Type.Object({ org_id: Uuid('The workspace.'), user_code: UserCode });

export const DeviceLoginStart = Strict(
  {
    client_name: SingleLine({
      minLength: 1,
      maxLength: 100,
      description: 'Name of the device or program, which is shown to the person. It becomes the key’s name.',
      examples: ['parley on laptop'],
    }),
  },
  { $id: 'DeviceLoginStart', description: 'A login to start.' },
);

const seconds = (description: string, example: number) =>
  Type.Integer({ minimum: 0, description, examples: [example] });

/** The fields of a started device login have the names in RFC 8628. */
export const DeviceLoginStarted = Type.Object(
  {
    device_code: Type.String({
      description: 'Secret of the device for `pollDeviceLogin`. It is returned only in this response.',
      examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS1M'],
    }),
    user_code: Type.String({ description: 'Code that the device shows.', examples: ['WDJB-MJHT'] }),
    verification_uri: Type.String({
      format: 'uri',
      description: 'Page on which the person enters the code.',
      examples: ['https://parley.example.com/device'],
    }),
    verification_uri_complete: Type.String({
      format: 'uri',
      description: 'URL of the same page, with the code filled in.',
      examples: ['https://parley.example.com/device?code=WDJB-MJHT'],
    }),
    expires_in: seconds('Seconds until the codes expire.', 600),
    interval: seconds('Minimum number of seconds between polls.', 5),
  },
  { $id: 'DeviceLoginStarted', description: 'A login that a person must approve.' },
);
export type DeviceLoginStarted = Static<typeof DeviceLoginStarted>;

export const DeviceLoginPoll = Strict(
  {
    device_code: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'The device code of `startDeviceLogin`.',
      examples: ['GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS1M'],
    }),
  },
  { $id: 'DeviceLoginPoll', description: 'A poll of a device.' },
);

export const DeviceLoginPolled = Type.Object(
  {
    status: StringEnum(['pending', 'approved'] as const, {
      description: '`pending`: poll again after the interval. `approved`: the response has the key.',
    }),
    key: Nullable(
      Type.String({
        description: 'The API key; null while pending. It is returned only in this response.',
        examples: ['parley_live_4fJ2mQz8Wk1Yp6Rt9Xv3Bn7Cd0Lh5s1M0ZzAe'],
      }),
    ),
    key_id: Nullable(Uuid('The key’s id; null while pending.')),
  },
  { $id: 'DeviceLoginPolled', description: 'The state of a login for its device.' },
);
export type DeviceLoginPolled = Static<typeof DeviceLoginPolled>;

export const DeviceLoginApprove = Strict(
  {
    scopes: Type.Optional(
      Type.Array(StringEnum(scopes), {
        minItems: 1,
        uniqueItems: true,
        description:
          'The key’s scopes, limited by the approving person’s rights; write implies read. All scopes if absent.',
        examples: [['bots:read']],
      }),
    ),
  },
  { $id: 'DeviceLoginApprove', description: 'The approval of a login.' },
);

export const DeviceLoginRead = Type.Object(
  {
    id: Uuid('The login’s id.'),
    user_code: Type.String({ description: 'The code that the device shows.', examples: ['WDJB-MJHT'] }),
    client_name: Type.String({
      description: 'The name that the device gave itself, which is not verified.',
      examples: ['parley on laptop'],
    }),
    ip_address: Type.String({
      description: 'The IP address that started the login.',
      examples: ['203.0.113.7'],
    }),
    status: StringEnum(deviceLoginStatuses, {
      description: '`consumed`: approved, and the device has its key.',
    }),
    created_at: DateTime('Time at which the login was started.'),
    expires_at: DateTime('Time at which the codes expire.'),
  },
  { $id: 'DeviceLoginRead', description: 'A login that a device has started.' },
);
export type DeviceLoginRead = Static<typeof DeviceLoginRead>;

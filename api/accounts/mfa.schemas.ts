import { Type, type Static } from '@sinclair/typebox';
import { PASSWORD_MAX_LENGTH } from '../../services/accounts/passwords/passwords.ts';
import { RECOVERY_CODES } from '../../services/accounts/recovery-codes.ts';
import { DateTime, Nullable, Strict } from '../http/schemas/schemas.ts';

const code = (maxLength: number, description: string) =>
  Type.String({ minLength: 4, maxLength, description, examples: ['123456'] });

const AnyCode = code(64, 'A code from the authenticator app, or an unused recovery code.');

export const MfaStatus = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether sign-in requires a second factor.' }),
    activated_at: Nullable(DateTime('Time at which the second factor was turned on.')),
    pending: Type.Boolean({ default: false, description: 'Whether an authenticator app is being set up.' }),
    recovery_codes_remaining: Type.Integer({
      default: 0,
      description: 'Number of unused recovery codes.',
    }),
    recovery_generated_at: Nullable(DateTime('Time at which the recovery codes were created.')),
  },
  { $id: 'MfaStatus', description: 'The second factor of an account.' },
);
export type MfaStatus = Static<typeof MfaStatus>;

export const MfaSetupResponse = Type.Object(
  {
    secret: Type.String({ description: 'The secret in base32; shown only in this response.' }),
    uri: Type.String({ description: 'The URI that an authenticator app scans as a QR code.' }),
    manual_key: Type.String({ description: 'The secret in groups of four characters, for manual entry.' }),
    digits: Type.Integer({ description: 'Length of a code.', examples: [6] }),
    period_seconds: Type.Integer({
      description: 'Seconds after which the app shows the next code.',
      examples: [30],
    }),
  },
  { $id: 'MfaSetupResponse', description: 'Setup data for an authenticator app.' },
);
export type MfaSetupResponse = Static<typeof MfaSetupResponse>;

export const MfaActivateRequest = Strict(
  { code: code(16, 'The current code from the authenticator app.') },
  { $id: 'MfaActivateRequest', description: 'Proves that the authenticator app has the secret.' },
);

export const MfaCodesResponse = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: `${RECOVERY_CODES} recovery codes. Each works once in place of a code from the authenticator app. The codes are returned only in this response.`,
    }),
    generated_at: DateTime('Time of creation.'),
  },
  { $id: 'MfaCodesResponse', description: 'Recovery codes, in case the authenticator app is lost.' },
);
export type MfaCodesResponse = Static<typeof MfaCodesResponse>;

export const MfaVerifyRequest = Strict(
  {
    challenge_token: Type.String({
      minLength: 8,
      maxLength: 2048,
      description: 'The challenge_token from the first step of the sign-in.',
    }),
    code: AnyCode,
  },
  { $id: 'MfaVerifyRequest', description: 'Completes a sign-in with a second factor.' },
);

export const MfaDisableRequest = Strict(
  {
    password: Nullable(
      Type.String({
        minLength: 1,
        maxLength: PASSWORD_MAX_LENGTH,
        description:
          'The account’s password. Null if the account has none; a recent sign-in is then required.',
        examples: ['three blue lamps at noon'],
      }),
    ),
    code: AnyCode,
  },
  {
    $id: 'MfaDisableRequest',
    description: 'The account’s password and a code, required to turn off the second factor.',
  },
);

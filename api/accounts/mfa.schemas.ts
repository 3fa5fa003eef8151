import { Type, type Static } from '@sinclair/typebox';
import { PASSWORD_MAX_LENGTH } from '../../services/accounts/passwords.ts';
import { RECOVERY_CODES } from '../../services/accounts/recovery-codes.ts';
import { DateTime, Nullable, Strict } from '../http/schemas/schemas.ts';

const code = (maxLength: number, description: string) =>
  Type.String({ minLength: 4, maxLength, description, examples: ['123456'] });

const AnyCode = code(64, 'Of the authenticator app, or a recovery code that was not used yet.');

export const MfaStatus = Type.Object(
  {
    enabled: Type.Boolean({ description: 'Whether signing in asks for a second factor.' }),
    activated_at: Nullable(DateTime('Since when.')),
    pending: Type.Boolean({ default: false, description: 'Whether an authenticator app is being set up.' }),
    recovery_codes_remaining: Type.Integer({
      default: 0,
      description: 'Recovery codes that were not used yet.',
    }),
    recovery_generated_at: Nullable(DateTime('When the recovery codes were made.')),
  },
  { $id: 'MfaStatus', description: 'The second factor of an account.' },
);
export type MfaStatus = Static<typeof MfaStatus>;

export const MfaSetupResponse = Type.Object(
  {
    secret: Type.String({ description: 'In base32; shown this once.' }),
    uri: Type.String({ description: 'What an authenticator app scans as a QR code.' }),
    manual_key: Type.String({ description: 'The secret in groups of four, to be typed.' }),
    digits: Type.Integer({ description: 'Length of a code.', examples: [6] }),
    period_seconds: Type.Integer({ description: 'How long a code is shown.', examples: [30] }),
  },
  { $id: 'MfaSetupResponse', description: 'What an authenticator app needs.' },
);
export type MfaSetupResponse = Static<typeof MfaSetupResponse>;

export const MfaActivateRequest = Strict(
  { code: code(16, 'The code that the authenticator app shows now.') },
  { $id: 'MfaActivateRequest', description: 'Shows that the authenticator app has the secret.' },
);

export const MfaCodesResponse = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: `${RECOVERY_CODES} codes, each good once in the place of the app; shown this once.`,
    }),
    generated_at: DateTime('When they were made.'),
  },
  { $id: 'MfaCodesResponse', description: 'Codes for whoever loses the authenticator app.' },
);
export type MfaCodesResponse = Static<typeof MfaCodesResponse>;

export const MfaVerifyRequest = Strict(
  {
    challenge_token: Type.String({
      minLength: 8,
      maxLength: 2048,
      description: 'What the first step of signing in has answered.',
    }),
    code: AnyCode,
  },
  { $id: 'MfaVerifyRequest', description: 'Answers the question for the second factor.' },
);

export const MfaDisableRequest = Strict(
  {
    password: Nullable(
      Type.String({
        minLength: 1,
        maxLength: PASSWORD_MAX_LENGTH,
        description: 'The password of the account; null for one that has none, after a fresh sign-in.',
        examples: ['three blue lamps at noon'],
      }),
    ),
    code: AnyCode,
  },
  { $id: 'MfaDisableRequest', description: 'Shows both factors.' },
);

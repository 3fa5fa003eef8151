import type { User } from '../../entities/accounts/user.entity.ts';

/** What an account is read with. */
export const ACCOUNT_FIELDS = [
  'id',
  'email',
  'fullName',
  'avatarUrl',
  'passwordHash',
  'emailVerifiedAt',
  'mfaActivatedAt',
  'createdAt',
] as const satisfies (keyof User)[];

/** An active account. */
export type Account = Pick<User, (typeof ACCOUNT_FIELDS)[number]>;

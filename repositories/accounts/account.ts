import type { User } from '../../entities/accounts/user.entity.ts';

/** Columns that every read of an account selects. */
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

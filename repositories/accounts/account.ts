import type { User } from '../../entities/accounts/user.entity.ts';

/** Columns of an account that queries read. */
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

/** An active account, with only the columns that callers need. */
export type Account = Pick<User, (typeof ACCOUNT_FIELDS)[number]>;

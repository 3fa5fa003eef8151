import { defineStatement } from '../../database/statement.ts';
import { aliasTable } from '../../database/table.ts';
import { User } from '../../entities/accounts/user.entity.ts';
import { ACCOUNT_FIELDS, type Account } from './account.ts';

const u = aliasTable(User, 'u');

/** Finds an active account by its email address. Parameters: $1 email address in lower case. */
export const ACCOUNT_BY_EMAIL = defineStatement<Account>({
  name: 'account-by-email',
  because: 'Each sign-in attempt runs this statement, so concurrent attempts share one plan (bench sign-in).',
  isPrepared: true,
  text: `SELECT ${u.as(...ACCOUNT_FIELDS)} FROM ${u.from} WHERE ${u('email')} = $1 AND ${u('isActive')}`,
});

import { AppError, unauthenticated } from '../../core/errors/errors.ts';

/** What a visitor is told whose session is over. */
export function sessionExpired(): AppError {
  return unauthenticated('The session has expired; start a new one.');
}

/** The same where the conversation is not there any more: browsers are to forget it. */
export function sessionRemoved(): AppError {
  const { code, message, headers } = sessionExpired();
  const detail = {
    field: 'session_id',
    in: 'path' as const,
    code: 'removed',
    message: 'names a removed conversation',
  };
  return new AppError(code, message, { headers, details: [detail] });
}

export function hasEnded(): AppError {
  return new AppError('conflict', 'The conversation has ended; start a new session.');
}

/** What a visitor is told whose bot is not served any more, while the session goes on. */
export function botIsOff(): AppError {
  return new AppError('conflict', 'The bot is switched off at the moment.');
}

/** The session's row; one that is deleted while its visitor is served is as gone as if it had been before. */
export async function ofSession<T>(row: Promise<T>): Promise<T> {
  try {
    return await row;
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? sessionRemoved() : error;
  }
}

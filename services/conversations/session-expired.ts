import { AppError, createUnauthenticatedError } from '../../core/errors/errors.ts';

/** Creates the error for a visitor whose session has expired. */
export function sessionExpired(): AppError {
  return createUnauthenticatedError('The session has expired; start a new one.');
}

/** Creates the error for a deleted conversation; its detail makes the widget forget the session. */
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

export function conversationEndedError(): AppError {
  return new AppError('conflict', 'The conversation has ended; start a new session.');
}

/** Creates the error for a bot that is switched off while the session is valid. */
export function botOffError(): AppError {
  return new AppError('conflict', 'The bot is switched off at the moment.');
}

/** Returns a row of the session. A row that was deleted during the request is reported as a removed session. */
export async function requireSessionRow<T>(row: Promise<T>): Promise<T> {
  try {
    return await row;
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? sessionRemoved() : error;
  }
}

import { AppError, createUnauthenticatedError } from '../../core/errors/errors.ts';

/** Creates the error for a visitor whose session has expired. */
export function createSessionExpiredError(): AppError {
  return createUnauthenticatedError('The session has expired; start a new one.');
}

/**
 * Creates the error for a visitor whose conversation was deleted. Its detail makes the widget discard the
 * session.
 */
export function createSessionRemovedError(): AppError {
  const { code, message, headers } = createSessionExpiredError();
  const detail = {
    field: 'session_id',
    in: 'path' as const,
    code: 'removed',
    message: 'is a deleted conversation',
  };
  return new AppError(code, message, { headers, details: [detail] });
}

export function conversationEndedError(): AppError {
  return new AppError('conflict', 'The conversation has ended; start a new session.');
}

/** Creates the error for a visitor's valid session whose bot is switched off. */
export function botOffError(): AppError {
  return new AppError('conflict', 'The bot is switched off at the moment.');
}

/**
 * Waits for a database row that belongs to a visitor's session. If the row was deleted meanwhile, throws the
 * error for a deleted conversation.
 */
export async function requireSessionRow<T>(row: Promise<T>): Promise<T> {
  try {
    return await row;
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? createSessionRemovedError() : error;
  }
}

import { AppError } from '../../core/errors.ts';

/** What a visitor is told whose session is over or gone. */
export function sessionExpired(): AppError {
  return new AppError('unauthenticated', 'The session has expired; start a new one.', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

export function hasEnded(): AppError {
  return new AppError('conflict', 'The conversation has ended; start a new session.');
}

/** The session's row; one that is deleted while its visitor is served is as gone as if it had been before. */
export async function ofSession<T>(row: Promise<T>): Promise<T> {
  try {
    return await row;
  } catch (error) {
    throw error instanceof AppError && error.code === 'not_found' ? sessionExpired() : error;
  }
}

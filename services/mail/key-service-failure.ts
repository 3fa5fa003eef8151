/**
 * Describes what stops working because the workspace's encryption key is unavailable, for an email to the
 * owners.
 */
export function describeKeyServiceFailure(failure: 'refused' | 'silent'): string {
  return failure === 'refused'
    ? 'The key service refuses the requests: within minutes bots stop answering, and conversations, contacts and files cannot be opened.'
    : 'The key service does not respond: cached keys work for an hour at most; then bots stop answering, and conversations, contacts and files cannot be opened.';
}

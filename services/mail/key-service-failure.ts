/** Describes what an unavailable key means for the workspace. */
export function describeKeyServiceFailure(failure: 'refused' | 'silent'): string {
  return failure === 'refused'
    ? 'It refuses: within minutes bots stop answering, and conversations, contacts and files cannot be opened.'
    : 'It does not answer: what is open already stays so for an hour at most; then bots stop answering, and conversations, contacts and files cannot be opened.';
}

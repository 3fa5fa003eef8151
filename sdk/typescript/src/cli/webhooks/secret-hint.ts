/**
 * Returns a function that tells the user once which secret a webhook receiver needs, if the receiver refuses
 * a request as not signed.
 */
export function createSecretHint(
  isNew: boolean,
  err: (text: string) => void,
): (status: string | null) => void {
  const advice = isNew
    ? 'pass the secret of your receiver as --secret, or set the secret above in the receiver'
    : 'the receiver must use the value of --secret, not the secret of an endpoint';
  let isWarned = false;
  return (status) => {
    if (isWarned || (status !== '400' && status !== '401')) return;
    isWarned = true;
    err(`The receiver responded with ${status}. If it could not verify the signature, ${advice}.\n`);
  };
}

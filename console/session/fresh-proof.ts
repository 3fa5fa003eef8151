import { Store } from '../client/store.ts';

/** A request that asks the user to sign in again, which a dialog shows. */
export interface ProofRequest {
  settle(isProven: boolean): void;
}

export const proofRequest = new Store<ProofRequest | null>(null);

let asking: Promise<boolean> | null = null;

/**
 * Asks the user to sign in again before an operation that needs a recent sign-in. Concurrent callers share
 * one dialog.
 * @returns whether the user has signed in again
 */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((settle) => proofRequest.set({ settle })).finally(() => {
    asking = null;
    proofRequest.set(null);
  });
  return asking;
}

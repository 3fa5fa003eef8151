import { Store } from '../hooks/store.ts';

/** A request for a recent sign-in. */
export interface ProofRequest {
  settle(isProven: boolean): void;
}

export const proofRequest = new Store<ProofRequest | null>(null);

let asking: Promise<boolean> | null = null;

/**
 * Asks the user to sign in again, once for all pending requests.
 * @returns whether the user did
 */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((settle) => proofRequest.set({ settle })).finally(() => {
    asking = null;
    proofRequest.set(null);
  });
  return asking;
}

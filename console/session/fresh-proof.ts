import { Store } from '../hooks/store.ts';

/** Something that waits for its person to sign in again. */
export interface ProofRequest {
  settle(isProven: boolean): void;
}

export const proofRequest = new Store<ProofRequest | null>(null);

let asking: Promise<boolean> | null = null;

/** Asks whoever has signed in to do so again; once, for all that waits for it. @returns whether it was done */
export function askForProof(): Promise<boolean> {
  asking ??= new Promise<boolean>((settle) => proofRequest.set({ settle })).finally(() => {
    asking = null;
    proofRequest.set(null);
  });
  return asking;
}

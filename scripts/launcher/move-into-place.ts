import { existsSync, renameSync } from 'node:fs';

/**
 * Moves a file or folder to its place once it is whole. If another process was first, what it has put there stays: both are alike.
 * @throws Error if there is none afterwards
 */
export function moveIntoPlace(made: string, place: string): void {
  try {
    renameSync(made, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}

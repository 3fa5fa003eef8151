import { existsSync, renameSync } from 'node:fs';

/**
 * Renames a complete file or folder to its final path. If another process was faster, its equal result stays.
 * @throws Error if the path does not exist afterwards
 */
export function moveIntoPlace(made: string, place: string): void {
  try {
    renameSync(made, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}

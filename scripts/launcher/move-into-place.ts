import { existsSync, renameSync } from 'node:fs';

/**
 * Renames a complete file or folder to its final path. If another process has already created the same file
 * or folder, the existing one stays.
 * @throws Error if the final path does not exist afterwards
 */
export function moveIntoPlace(temporaryPath: string, finalPath: string): void {
  try {
    renameSync(temporaryPath, finalPath);
  } catch (error) {
    if (!existsSync(finalPath)) throw error;
  }
}

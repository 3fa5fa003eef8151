import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../../scripts/launcher/project-root.ts';
import { cachePath, makeOnce } from './make-once.ts';

/**
 * Builds a program with Go and caches it for later runs.
 * @param name name of the file in the cache; ends in the version
 * @param module folder of the Go module, from the root of the project
 * @param target package that `go build` builds
 * @returns the path of the program, or undefined if Go is missing
 */
export function buildGoProgram(name: string, module: string, target: string): string | undefined {
  const program = cachePath(`${name}-${process.platform}-${process.arch}`);
  const cwd = fileURLToPath(new URL(module, projectRoot()));
  const build = (part: string) =>
    spawnSync('go', ['build', '-trimpath', '-o', part, target], { cwd, stdio: 'ignore' }).status === 0;
  return makeOnce(program, build) ? program : undefined;
}

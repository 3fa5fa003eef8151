import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { projectRoot } from '../../scripts/launcher/project-root.ts';

export type Environment = Record<string, string>;

interface ServiceText {
  environment?: Record<string, string | number>;
  env_file?: { path: string; required?: boolean }[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  command?: string[];
}

/** Content of docker-compose.yml, parsed with YAML merge keys as Docker Compose does. */
export const composeFile = parse(readFileSync(new URL('docker-compose.yml', projectRoot()), 'utf8'), {
  merge: true,
}) as {
  services: Record<string, ServiceText>;
  configs: Record<string, { content: string }>;
};

/** Variables set by the shell that runs `docker compose` and by the file `.env` next to the Compose file. */
export interface ComposeVariables {
  shell?: Environment;
  dotEnv?: string;
}

/**
 * Returns the environment and ports of a Compose service, with variables replaced.
 * @throws Error if a required variable is missing
 */
export function resolveService(name: string, { shell = {}, dotEnv }: ComposeVariables) {
  const service = composeFile.services[name];
  if (!service) throw new Error(`There is no service ${name}.`);
  const file = dotEnv === undefined ? {} : (parseEnv(dotEnv) as Environment);
  // Values from the shell take precedence over those from the file `.env`.
  const variables = { ...file, ...shell };
  const own = Object.entries(service.environment ?? {}).map(
    ([key, value]) => [key, interpolate(String(value), variables)] as const,
  );
  return {
    // Values in `environment` take precedence over `env_file`; a variable of the shell reaches the container
    // only if one of them refers to it.
    environment: { ...readEnvFiles(service, dotEnv, file), ...Object.fromEntries(own) } as Environment,
    ports: (service.ports ?? []).map((each) => interpolate(each, variables)),
  };
}

function readEnvFiles(
  { env_file: files = [] }: ServiceText,
  dotEnv: string | undefined,
  file: Environment,
): Environment {
  for (const { path, required = true } of files) {
    if (path !== '.env') throw new Error(`${path} is not known to the tests.`);
    if (required && dotEnv === undefined) throw new Error(`${path} is missing.`);
  }
  return files.length > 0 ? file : {};
}

/**
 * Substitutes `${NAME}`, `${NAME:-default}` and `${NAME:?message}`, also nested. With a colon, an empty value counts
 * as unset.
 */
function interpolate(text: string, variables: Environment): string {
  let result = '';
  for (let at = 0; at < text.length; at += 1) {
    if (!text.startsWith('${', at)) {
      result += text[at];
      continue;
    }
    const end = findClosingBrace(text, at);
    result += resolveVariable(text.slice(at + 2, end), variables);
    at = end;
  }
  return result;
}

function resolveVariable(expression: string, variables: Environment): string {
  const [, name = '', colon, kind, rest = ''] = /^(\w+)(?:(:?)([-?])([^]*))?$/.exec(expression) ?? [];
  if (name === '') throw new Error(`\${${expression}} is no variable.`);
  const value = variables[name];
  if (value !== undefined && !(colon === ':' && value === '')) return value;
  if (kind === '?') throw new Error(`required variable ${name} is missing a value: ${rest}`);
  return kind === '-' ? interpolate(rest, variables) : '';
}

function findClosingBrace(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    if (text.startsWith('${', at)) depth += 1;
    if (text[at] === '}' && (depth -= 1) === 0) return at;
  }
  throw new Error(`${text} has a brace that does not close.`);
}

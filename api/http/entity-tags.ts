import type { IncomingHttpHeaders } from 'node:http';
import { computeShortDigest } from '../../core/short-digest.ts';
import { AppError, invalidField } from '../../core/errors/errors.ts';
import type { EngineDeps } from './engine-deps.ts';
import type { HandlerInput, Operation } from './operation.ts';
import type { AuthKind } from './access/principal.ts';
import { compileResponder, isReply } from './response/respond.ts';
import { compileVersions } from './version.ts';

/** Pattern of an entity tag in the header If-Match (RFC 9110). */
const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;
const ENTITY_TAGS = new RegExp(String.raw`^[\t ,]*${ENTITY_TAG}(?:[\t ]*,[\t ,]*${ENTITY_TAG})*[\t ,]*$`);

/**
 * Returns the ETag of a response: a digest of its JSON without the ignored fields.
 * @param ignored fields that do not affect the tag
 */
function buildEntityTag(json: string, ignored: readonly string[]): string {
  return `"${computeShortDigest(ignored.length > 0 ? omitFields(json, ignored) : json)}"`;
}

/**
 * Returns a response's JSON without some of its fields. Sets these fields to undefined, which JSON omits;
 * this is cheaper than a copy.
 */
function omitFields(json: string, ignored: readonly string[]): string {
  const fields = JSON.parse(json) as Record<string, unknown>;
  for (const name of ignored) fields[name] = undefined;
  return JSON.stringify(fields);
}

/**
 * Returns the entity tags of the header If-Match; undefined if the header is absent or `*`, which matches any
 * resource.
 * @throws AppError `validation_error`
 */
function readIfMatch({ 'if-match': header }: IncomingHttpHeaders): string[] | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!ENTITY_TAGS.test(header))
    throw invalidField('If-Match', 'must be * or a list of ETags in double quotes', 'header');
  return header.match(new RegExp(ENTITY_TAG, 'g')) ?? [];
}

type Precondition = (input: HandlerInput<AuthKind, unknown, unknown, unknown>) => Promise<void>;

/**
 * Compiles the check of the header If-Match. Within the transaction of a write, the check locks the resource
 * and compares its ETag. Tags are compared strongly, so that a weak tag never matches.
 */
export function compilePrecondition(
  { revises: read }: Operation,
  deps: EngineDeps,
): Precondition | undefined {
  if (!read) return undefined;
  const { revision } = read;
  if (!revision) throw new Error(`${read.id} has no revision.`);
  const versioned = compileVersions(read, deps.versions, deps.settings.baseUrl);
  const responder = compileResponder(read, versioned, deps.settings);
  return async (input) => {
    const tags = readIfMatch(input.headers);
    if (!tags) return;
    await revision.lock(input, deps.services);
    const result = await read.handle({ ...input, prepared: undefined }, deps.services);
    const rendered = await responder.render(result, input.ctx.version);
    if (isReply(rendered)) throw new Error(`${read.id} did not respond with JSON.`);
    if (!tags.includes(buildEntityTag(rendered.body, revision.ignores)))
      throw new AppError(
        'precondition_failed',
        'The resource has changed since you read it. Read it again, and repeat your change with its new ETag.',
      );
  };
}

/**
 * Returns the ETag of an operation's response; undefined if the response has none. The response of a PUT has
 * no ETag, since Parley does not store the request as it was sent (RFC 9110, section 9.3.4).
 */
export function findEntityTag(operation: Operation, json: string): string | undefined {
  const { revision } = operation.revises ?? operation;
  return sendsEntityTag(operation) && revision ? buildEntityTag(json, revision.ignores) : undefined;
}

export function sendsEntityTag({ method, revision, revises }: Operation): boolean {
  return revision !== undefined || (revises !== undefined && method === 'PATCH');
}

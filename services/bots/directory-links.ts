import { invalidField } from '../../core/errors/errors.ts';
import { isOutwardLink } from '../../core/text/page-address.ts';
import type { DirectoryConfig } from '../../entities/bots/bot.entity.ts';

/**
 * @param field path of the directory entries in the request
 * @throws AppError `validation_error` if a link is neither a web page nor an email address nor a phone number
 */
export function requireDirectoryLinks(directory: DirectoryConfig | null | undefined, field: string): void {
  const at = (directory?.entries ?? []).findIndex(({ link = '' }) => !isAllowedLink(link));
  if (at >= 0)
    throw invalidField(
      `${field}[${at}].link`,
      'must be empty or a URL that starts with http, https, mailto or tel, without spaces around it',
    );
}

/**
 * Removes unsafe links from the directory of a copied bot configuration. The links may have been stored
 * before Parley validated links.
 */
export function dropUnsafeLinks<C extends { directoryConfig?: DirectoryConfig | null }>(configuration: C): C {
  const { directoryConfig: directory } = configuration;
  if (!directory?.entries) return configuration;
  const entries = directory.entries.map((entry) =>
    isAllowedLink(entry.link ?? '') ? entry : { ...entry, link: '' },
  );
  return { ...configuration, directoryConfig: { ...directory, entries } };
}

function isAllowedLink(link: string): boolean {
  return link === '' || isOutwardLink(link);
}

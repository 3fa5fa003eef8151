import { Value } from '@sinclair/typebox/value';
import type { Bot, DirectoryConfig as Directory, DirectoryEntry } from '../../entities/bots/bot.entity.ts';
import { DirectoryConfig } from './bots.config.schemas.ts';
import type { DirectoryResolveResponse } from './directory.schemas.ts';

/**
 * Presents the directory that a bot's widget offers to visitors. For a bot without a directory, presents the
 * default: disabled and empty.
 */
export function presentDirectory({ directoryConfig }: Bot): Directory {
  return directoryConfig ?? (Value.Default(DirectoryConfig, {}) as Directory);
}

export function presentChoice({ name, category = '', link = '' }: DirectoryEntry): DirectoryResolveResponse {
  return { category, choice: name, link };
}

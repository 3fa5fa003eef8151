import { API_KEY_PREFIX } from '../../adapters/keys/api-key.ts';
import type { ApiKey } from '../../entities/team/api-key.entity.ts';
import type { IssuedKey } from '../../services/team/api-key-service.ts';
import type { ApiKeyCreated, ApiKeyRead } from './api-keys.schemas.ts';

export function presentApiKey(row: ApiKey): ApiKeyRead {
  return {
    id: row.id,
    name: row.name,
    prefix: API_KEY_PREFIX,
    last_four: row.lastFour,
    scopes: row.scopes,
    api_version: row.apiVersion,
    created_by_id: row.createdById,
    created_at: row.createdAt.toISOString(),
    last_used_at: row.lastUsedAt?.toISOString() ?? null,
    expires_at: row.expiresAt?.toISOString() ?? null,
  };
}

export function presentIssuedKey({ row, key }: IssuedKey): ApiKeyCreated {
  return { ...presentApiKey(row), key };
}

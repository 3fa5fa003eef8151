import { Type } from '@sinclair/typebox';
import { Strict, Uuid } from '../http/schemas/schemas.ts';

/** Beside the file an upload has nothing. */
export const AvatarUploadFields = Strict({});
export const AssetParams = Type.Object({ asset_id: Uuid('The image.') });

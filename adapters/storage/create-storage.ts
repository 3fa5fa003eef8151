import { join } from 'node:path';
import type { Settings } from '../../core/settings/settings.ts';
import { LocalStorage } from './local-storage.ts';
import type { ObjectStorage } from './object-storage.ts';

type StorageSettings = Pick<
  Settings,
  'storage' | 'home' | 's3Endpoint' | 's3Bucket' | 's3Region' | 's3AccessKeyId' | 's3SecretAccessKey'
>;

/** Creates the file storage that the setting PARLEY_STORAGE selects. Imports the S3 client only for S3. */
export async function createStorage(settings: StorageSettings): Promise<ObjectStorage> {
  const { s3Bucket, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = settings;
  if (settings.storage === 'local' || !s3Bucket) {
    const storage = new LocalStorage(join(settings.home, 'files'));
    await storage.deleteAbandonedFiles();
    return storage;
  }
  const { S3Storage } = await import('./s3-storage.ts');
  return new S3Storage({
    bucket: s3Bucket,
    region: settings.s3Region,
    endpoint: settings.s3Endpoint,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  });
}

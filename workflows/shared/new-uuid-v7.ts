import { uuid4 } from '@temporalio/workflow';

/** A UUIDv7 of the workflow's own time and chance, the same when its history is replayed. */
export function newUuidV7(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${uuid4().slice(15)}`;
}

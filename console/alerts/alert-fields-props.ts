import type { ApiError } from '../client/api-error.ts';
import type { AlertDraft } from './alert-draft.ts';

export interface AlertFieldsProps {
  draft: AlertDraft;
  change(changed: Partial<AlertDraft>): void;
  problem: ApiError | null;
}

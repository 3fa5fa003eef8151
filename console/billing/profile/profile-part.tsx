import type { BillingProfile } from '../../client/types.ts';
import { useApi } from '../../state/use-api.ts';
import { LoadedView } from '../../components/lists/loaded-view.tsx';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileForm } from './profile-form.tsx';

/** Shows the billing profile: the name and address on receipts. */
export function ProfilePart() {
  const isOwner = useIsOwner();
  const profile = useApi<BillingProfile>('/api/billing/profile', { reloadsOnVisit: true });
  return (
    <LoadedView loaded={profile}>
      {(saved) =>
        isOwner ? <ProfileForm profile={saved} onSaved={profile.set} /> : <ProfileFacts profile={saved} />
      }
    </LoadedView>
  );
}

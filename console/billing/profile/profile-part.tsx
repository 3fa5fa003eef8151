import type { BillingProfile } from '../../client/types.ts';
import { useLoad } from '../../hooks/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { LoadedView } from '../../ui/loaded-view.tsx';
import { useOwnsHere } from '../../session/use-owns-here.ts';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileForm } from './profile-form.tsx';

/** The billing profile, which receipts are addressed to. */
export function ProfilePart() {
  const { client } = useSession();
  const isOwners = useOwnsHere();
  const profile = useLoad((signal) => client.get<BillingProfile>('/api/billing/profile', signal), [client]);
  return (
    <LoadedView of={profile}>
      {(saved) =>
        isOwners ? <ProfileForm profile={saved} onSaved={profile.set} /> : <ProfileFacts profile={saved} />
      }
    </LoadedView>
  );
}

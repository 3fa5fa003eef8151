import type { BillingProfile } from '../../client/types.ts';
import { useLoad } from '../../state/use-load.ts';
import { useSession } from '../../session/session.tsx';
import { LoadedView } from '../../components/loaded-view.tsx';
import { useIsOwner } from '../../session/use-is-owner.ts';
import { ProfileFacts } from './profile-facts.tsx';
import { ProfileForm } from './profile-form.tsx';

/** Shows the billing profile: the name and address on receipts. */
export function ProfilePart() {
  const { client } = useSession();
  const isOwner = useIsOwner();
  const profile = useLoad((signal) => client.get<BillingProfile>('/api/billing/profile', signal), [client]);
  return (
    <LoadedView loaded={profile}>
      {(saved) =>
        isOwner ? <ProfileForm profile={saved} onSaved={profile.set} /> : <ProfileFacts profile={saved} />
      }
    </LoadedView>
  );
}

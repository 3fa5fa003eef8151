import type { Route } from './router.ts';
import type { Session } from './session/session.tsx';
import type { Credentials } from './session/stored-credentials.ts';

export interface AreasProps {
  session: Session;
  credentials: Credentials;
  route: Route;
}

/** Pages that still use Preact, after they have been mounted. `draw` renders them with new props. */
export interface MountedAreas {
  draw(props: AreasProps): void;
  close(): void;
}

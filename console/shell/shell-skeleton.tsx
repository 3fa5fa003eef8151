import { Logo } from './logo.tsx';

/** Outline of the console, shown while the script of the signed-in pages is loaded. */
export function ShellSkeleton() {
  return (
    <div className="shell" role="status" aria-label="Loading">
      <div className="sidebar">
        <div className="sidebar-head">
          <Logo />
        </div>
      </div>
      <div className="shell-content" />
    </div>
  );
}

import { Component, type ReactNode } from 'react';
import { IconAlert } from './notice-icons.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';

interface ErrorBoundaryProps {
  /** Path of the page. When it changes, the boundary renders its children again. */
  path: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  failedAt: string | null;
}

/** Catches errors while rendering a page. Shows a message instead of the page; the navigation still works. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failedAt: null };

  override componentDidCatch(error: unknown): void {
    this.setState({ failedAt: this.props.path });
    reportError(error);
  }

  override componentDidUpdate({ path: before }: ErrorBoundaryProps): void {
    // Render the failed page again when the user returns to it.
    if (before !== this.props.path)
      this.setState(({ failedAt }) => (failedAt === before ? { failedAt: null } : null));
  }

  override render(): ReactNode {
    if (this.state.failedAt !== this.props.path) return this.props.children;
    return (
      <EmptyState icon={<IconAlert size={32} />} title="Something went wrong on this page">
        Reload it and try again. Parley may have been updated.
      </EmptyState>
    );
  }
}

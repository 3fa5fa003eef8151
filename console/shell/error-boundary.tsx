import { Component, type ReactNode } from 'react';
import { IconAlert } from './notice-icons.ts';
import { EmptyState } from '../components/lists/empty-state.tsx';

interface ErrorBoundaryProps {
  /** Path of the page. When the path changes, the error boundary renders the page again. */
  path: string;
  /** Called before the page is rendered again. Data that the page cannot render must be loaded again. */
  onRetry(): void;
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
    if (before === this.props.path || this.state.failedAt !== before) return;
    // Render the failed page again when the user returns to it.
    this.props.onRetry();
    this.setState({ failedAt: null });
  }

  override render(): ReactNode {
    if (this.state.failedAt !== this.props.path) return this.props.children;
    return (
      <EmptyState icon={<IconAlert size={32} />} title="Something went wrong on this page">
        Reload the page and try again. Parley may have been updated.
      </EmptyState>
    );
  }
}

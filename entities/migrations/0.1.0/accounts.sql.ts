import type { FeatureSchema } from './feature-schema.ts';

export const ACCOUNTS: FeatureSchema = {
  tables: `
CREATE TABLE account_links (
  digest text NOT NULL,
  user_id uuid NOT NULL,
  purpose text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_account_links PRIMARY KEY (digest)
);
CREATE INDEX ix_account_links_expires_at ON account_links (expires_at);
CREATE INDEX ix_account_links_user_id ON account_links (user_id);

CREATE TABLE account_requests (
  id uuid NOT NULL,
  kind text NOT NULL,
  email text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  until timestamptz(3),
  CONSTRAINT pk_account_requests PRIMARY KEY (id)
);

CREATE TABLE answered_challenges (
  id uuid NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_answered_challenges PRIMARY KEY (id)
);
CREATE INDEX ix_answered_challenges_expires_at ON answered_challenges (expires_at);

CREATE TABLE deleted_accounts (
  id uuid NOT NULL,
  CONSTRAINT pk_deleted_accounts PRIMARY KEY (id)
);

CREATE TABLE identity_attempts (
  verifier_digest text NOT NULL,
  state_digest text NOT NULL,
  provider text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_identity_attempts PRIMARY KEY (verifier_digest)
);
CREATE INDEX ix_identity_attempts_expires_at ON identity_attempts (expires_at);

CREATE TABLE known_addresses (
  user_id uuid NOT NULL,
  ip text NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_known_addresses PRIMARY KEY (user_id, ip)
);
CREATE INDEX ix_known_addresses_expires_at ON known_addresses (expires_at);

CREATE TABLE linked_identities (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  last_login_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_linked_identities PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_linked_identities_issuer_subject ON linked_identities (issuer, subject);
CREATE UNIQUE INDEX uq_linked_identities_user_id_provider ON linked_identities (user_id, provider);

CREATE TABLE recovery_codes (
  digest text NOT NULL,
  user_id uuid NOT NULL,
  CONSTRAINT pk_recovery_codes PRIMARY KEY (digest)
);
CREATE INDEX ix_recovery_codes_user_id ON recovery_codes (user_id);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  org_id uuid,
  generation integer NOT NULL DEFAULT 0,
  rotated_at timestamptz(3) NOT NULL DEFAULT now(),
  user_agent text,
  ip text,
  last_used_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  ends_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_sessions PRIMARY KEY (id)
);
CREATE INDEX ix_sessions_expires_at ON sessions (expires_at);
CREATE INDEX ix_sessions_org_id ON sessions (org_id);
CREATE INDEX ix_sessions_user_id ON sessions (user_id);

CREATE TABLE sign_in_codes (
  email text NOT NULL,
  digest text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz(3) NOT NULL,
  CONSTRAINT pk_sign_in_codes PRIMARY KEY (email)
);
CREATE INDEX ix_sign_in_codes_expires_at ON sign_in_codes (expires_at);

CREATE TABLE totp_secrets (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  secret text,
  pending_secret text,
  last_step integer NOT NULL DEFAULT 0,
  recovery_generated_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT pk_totp_secrets PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_totp_secrets_user_id ON totp_secrets (user_id);

CREATE TABLE users (
  id uuid NOT NULL,
  email text NOT NULL,
  full_name text NOT NULL,
  password_hash text,
  email_verified_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  avatar_url text,
  is_active boolean NOT NULL DEFAULT true,
  last_sign_in_at timestamptz(3),
  mfa_activated_at timestamptz(3),
  CONSTRAINT pk_users PRIMARY KEY (id)
);
CREATE UNIQUE INDEX uq_users_email ON users (email);
`,

  references: `
ALTER TABLE account_links
  ADD CONSTRAINT fk_account_links_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE known_addresses
  ADD CONSTRAINT fk_known_addresses_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE linked_identities
  ADD CONSTRAINT fk_linked_identities_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE recovery_codes
  ADD CONSTRAINT fk_recovery_codes_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE sessions
  ADD CONSTRAINT fk_sessions_org_id FOREIGN KEY (org_id) REFERENCES orgs(id) ON DELETE SET NULL,
  ADD CONSTRAINT fk_sessions_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;

ALTER TABLE totp_secrets
  ADD CONSTRAINT fk_totp_secrets_user_id FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE;
`,
};
